"""Every role has a look of its own."""

from __future__ import annotations

from dpcore.figures.theme import DARK, LIGHT
from reproductions import ROLES
from reproductions.roles import ROLE_DASHES, role_colour, role_dash


def test_roles_differ_in_colour_and_all_but_two_in_dashes() -> None:
    assert set(ROLE_DASHES) == set(ROLES)
    for theme in (LIGHT, DARK):
        assert len({role_colour(role, theme) for role in ROLES}) == len(ROLES)
    # What is sound and what is exact are both drawn through.
    assert len(set(ROLE_DASHES.values())) == len(ROLES) - 1


def test_further_methods_of_a_role_begin_again_when_the_kinds_of_dashes_are_used_up() -> None:
    dashes = [role_dash("published", rank) for rank in range(4)]
    assert len(set(dashes)) == 3
    assert dashes[0] == dashes[3] == ROLE_DASHES["published"]
