"""What can be built on dpcore: nothing in it imports these."""
