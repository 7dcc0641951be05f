"""What the Federated ECDF page is made of."""
