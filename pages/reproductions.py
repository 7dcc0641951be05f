"""The papers' figures and tables again, beside methods that are sound."""

from pages.parts.reproductions import (
    reproductions_fields,
    reproductions_gallery,
    reproductions_view,
)
from pages.shared import beside_roc, cards, frame


# No fragment: a click on one waits until the present run is over, and so could not cancel it.
def body() -> None:
    cards.heading(
        "Paper reproductions",
        "What do the papers claim, what is seen when their methods run again, and what does a "
        "sound method reach?",
    )
    choice = beside_roc.choice(reproductions_fields.read, reproductions_fields.DEFAULTS)
    if choice.experiment is None:
        reproductions_gallery.show()
    else:
        reproductions_view.show(choice)


frame.run(body)
