"""What the Release desk is made of."""
