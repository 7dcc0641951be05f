"""What the Calibration page is made of."""
