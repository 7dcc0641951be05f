"""What the Paper reproductions are made of."""
