"""Running counts: published again and again while events come in."""
