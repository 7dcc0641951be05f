"""What the Sparse vector lab is made of."""
