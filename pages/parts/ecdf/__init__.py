"""What the ECDF page is made of."""
