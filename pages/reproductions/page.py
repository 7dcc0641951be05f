"""The papers' figures and tables again, beside methods that are sound."""

from pages.reproductions import choices, view
from pages.shell import page_shell
from pages.widgets import score_pages


# No fragment: a click on one waits until the present run is over, and so could not cancel it.
def body() -> None:
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    if choice.experiment is None:
        view.show_gallery()
    else:
        view.show(choice)


page_shell.run(body)
