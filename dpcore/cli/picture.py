"""``python -m dpcore picture``: the figure of a link, as a file.

Draw the figure of a link of the app, by the page's own code, without opening
it. A link that holds a pinned figure gives both. The same link gives the same
picture, so that scripts can compare pictures. JSON (traces and layout) and
HTML need no browser; PNG and SVG are drawn by a Chromium without a window.

  python -m dpcore picture "roc?epsilon=0.5" --out roc.png --theme dark
"""

import importlib
import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from dpcore.cli.program import UsageError, add_options, in_usage
from dpcore.errors import MissingResource
from dpcore.figures.export import FORMS, Shown, save
from dpcore.figures.theme import DARK, LIGHT, theme_of

# The app, which nothing in dpcore imports and which may be absent.
_APP = "pages.shell.picture"
_NARROWEST, _WIDEST = 200, 10_000


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_options(parser, "picture", forms=tuple(FORMS), themes=(LIGHT.name, DARK.name))


def run(options: Namespace) -> None:
    """Carry the command out."""
    if options.out.suffix not in FORMS:
        raise UsageError(f"--out must end in {', '.join(FORMS)}, got {options.out.name!r}")
    if not _NARROWEST <= options.width <= _WIDEST:
        raise UsageError(f"--width must lie between {_NARROWEST} and {_WIDEST}")
    # What the system says of a folder that is absent: a browser says nothing.
    next(options.out.parent.iterdir(), None)
    # Streamlit warns of what it misses where it is not served, at its import too.
    logging.disable(logging.WARNING)
    try:
        with in_usage():
            pictures_of = _app()
            figures = pictures_of(options.link, options.theme)
            # The main figure of a page, and the one that its link pins.
            shown = [one for one in figures if one[0]] or figures[:1]
            if options.beside is not None:
                (_, second), *_ = pictures_of(options.beside, options.theme)
                shown = [("first link", shown[0][1]), ("second link", second)]
    finally:
        logging.disable(logging.NOTSET)
    save(shown, options.out, theme=theme_of(options.theme), width=options.width)
    for words, picture in shown:
        print(f"{options.out}: {f'{words}. ' if words else ''}{picture.alt}")


def _app() -> Callable[[str, str], list[Shown]]:
    """What draws the figures of a link."""
    try:
        found: Callable[[str, str], list[Shown]] = importlib.import_module(_APP).pictures_of
    except ModuleNotFoundError:
        what = "the app is not installed beside dpcore, and its pages draw the pictures"
        raise MissingResource(what, "run this in a checkout of the project") from None
    return found
