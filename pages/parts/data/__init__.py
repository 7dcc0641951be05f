"""What the Data page is made of."""
