"""The papers' figures and tables again, beside methods that are sound."""

from pages.shared import (
    beside_roc,
    cards,
    frame,
    reproductions_fields,
    reproductions_gallery,
    reproductions_view,
)


@frame.fragment
def reproductions() -> None:
    """Gallery or one experiment; nothing else reruns."""
    choice = beside_roc.choice(reproductions_fields.read, reproductions_fields.DEFAULTS)
    if choice.experiment is None:
        reproductions_gallery.show()
    else:
        reproductions_view.show(choice)


def body() -> None:
    cards.heading(
        "Paper reproductions",
        "What do the papers claim, what is seen when their methods run again, and what does a "
        "sound method reach?",
    )
    reproductions()


frame.run(body)
