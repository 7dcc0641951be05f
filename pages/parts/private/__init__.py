"""What Private mode is made of: data, budgets and accounts."""
