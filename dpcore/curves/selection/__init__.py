"""The computations behind the pages on feature selection: simulations, and nothing is released."""
