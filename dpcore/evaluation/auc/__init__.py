"""The area under the ROC curve, released by itself: one well-aimed question in place of a curve."""
