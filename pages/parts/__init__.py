"""What single pages are made of, a folder for each; what pages share is in pages/shared/."""
