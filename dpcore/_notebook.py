"""How releases and models show themselves in a notebook."""

from typing import Any


class Shown:
    """What shows itself in a notebook as a table, and those kinds that have a picture as a figure.

    What is said of a result, and how it is drawn, lies layers above the result: it is asked there
    when somebody looks, so that nothing else loads it.
    """

    def plot(self, *others: Any, theme: str = "light", **told: Any) -> Any:
        """The figure of what was released, with its bands, as Plotly's own object.

        Parameters
        ----------
        *others
            Of a distribution function: another one, to be drawn beside it.
        theme : {"light", "dark"}, default "light"
        **told
            What the kind of release has besides: `sampling=True` draws the wider band for the
            population, `name="tpr"` another rate of the groups, `names=("ill", "well")` says what
            the distribution functions are of.

        Returns
        -------
        plotly.graph_objects.Figure
            Stamped as a simulation, if it is one.

        Raises
        ------
        InvalidArgument
            If the theme is another, or this kind of release does not have what it is told.
        MissingResource
            If Plotly is not installed.
        """
        from dpcore.publications import _notebook as notebook

        return notebook.plot(self, *others, theme=theme, **told)

    def _repr_html_(self) -> str:
        return html(self)


def html(shown: Any) -> str:
    """A release or a fitted model as a small table, which says what it cost."""
    from dpcore.publications import _notebook as notebook

    return notebook.html(shown)
