"""Studies: a frozen configuration in, a result out, for pages, command line and notebooks alike."""
