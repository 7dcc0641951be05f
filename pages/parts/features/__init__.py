"""What the Features page is made of."""
