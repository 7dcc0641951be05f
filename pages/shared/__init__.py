"""What the pages share: state, forms, cards, figures and downloads."""
