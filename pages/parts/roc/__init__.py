"""What the ROC page is made of."""
