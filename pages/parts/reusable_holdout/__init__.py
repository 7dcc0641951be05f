"""What the Reusable holdout page is made of."""
