"""The computations behind the page on models: simulations beside the truth; nothing is released."""
