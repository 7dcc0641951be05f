"""What a decision needs beside a curve: a threshold's table, two models, groups."""
