"""Rules that the source obeys, checked on its syntax tree and independent of import-linter.

A rule takes the path of a file and its tree and lists the offences. Each is run over the project,
and then over a snippet that breaks it: a rule that cannot fail would prove nothing.
"""

from __future__ import annotations

import ast
import importlib
import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOT_OURS = re.compile(r"\.git|\.venv.*|\..*_cache|\.hypothesis|__pycache__|.*\.egg-info|build|dist")

Rule = Callable[[PurePosixPath, ast.Module], Iterator[str]]


def project_files(suffix: str = "") -> list[PurePosixPath]:
    """Every file of the project with that suffix, relative to the checkout."""
    found: list[PurePosixPath] = []
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = [name for name in subfolders if not NOT_OURS.fullmatch(name)]
        relative = Path(folder).relative_to(ROOT)
        found += [PurePosixPath(relative / name) for name in names if name.endswith(suffix)]
    return sorted(found)


SOURCES = project_files(".py")
DPCORE = [path for path in SOURCES if path.parts[0] == "dpcore"]
LIBRARY = ("dpcore", "reproductions", "examples")
# They warn when they are imported; tests/test_aggregates.py does it.
OLD_NAMES = {PurePosixPath("dpcore/intake.py"), PurePosixPath("dpcore/studies/workflow.py")}


def inside(path: PurePosixPath, *places: str) -> bool:
    """Whether a file is one of the places, or below one of them."""
    return any(path.is_relative_to(place) for place in places)


@lru_cache(maxsize=1)
def nodes(tree: ast.Module) -> list[ast.AST]:
    """All of a file; each rule looks at it, one after the other."""
    return list(ast.walk(tree))


@lru_cache(maxsize=1)
def imports(tree: ast.Module) -> list[str]:
    """Dotted names of everything that a file imports."""
    found = []
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def attributes(tree: ast.Module, *names: str) -> Iterator[str]:
    """Where `anything.name` is read, called or not: an alias would hide a call."""
    for node in nodes(tree):
        if isinstance(node, ast.Attribute) and node.attr in names:
            yield f"line {node.lineno}: {ast.unparse(node)}"


def imports_of(tree: ast.Module, *modules: str) -> Iterator[str]:
    for name in imports(tree):
        if any(name == module or name.startswith(f"{module}.") for module in modules):
            yield f"imports {name}"


def draws_only_in_release(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    if inside(path, *LIBRARY) and not inside(path, "dpcore/release.py"):
        yield from attributes(tree, "draw", "without_noise")


def noise_only_in_mechanisms(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    if inside(path, *LIBRARY) and not inside(path, "dpcore/mechanisms", "dpcore/noise"):
        yield from attributes(tree, "discrete_laplace", "uniform", "choose", "choice")


def randomness_only_in_noise(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    if inside(path, *LIBRARY) and not inside(path, "dpcore/noise"):
        yield from imports_of(tree, "random", "secrets", "numpy.random")
        yield from attributes(tree, "random", "urandom", "rvs")


def streamlit_only_in_pages(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    # Tests and benchmarks drive the app from outside.
    if not inside(path, "app.py", "server.py", "pages", "tests", "benchmarks"):
        yield from imports_of(tree, "streamlit")


def plotly_only_in_figures(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    if inside(path, "app.py", "pages", *LIBRARY) and not inside(path, "dpcore/figures"):
        yield from imports_of(tree, "plotly")


def no_pickle(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    yield from imports_of(tree, "cloudpickle", "dill", "joblib", "marshal", "shelve")
    yield from attributes(tree, "read_pickle", "to_pickle")
    if not inside(path, "tests"):
        yield from imports_of(tree, "pickle")
    # Tests may dump, to show that an object refuses; nothing loads, because loading runs code.
    yield from (f"loads {name}" for name in attributes(tree, "loads", "load") if "pickle." in name)
    for node in nodes(tree):
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            yield f"line {node.value.lineno}: allow_pickle"


def no_shortcut_through_the_root(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    # `from dpcore import Ledger` below the root is an import that no layer contract sees.
    if not inside(path, "dpcore") or path == PurePosixPath("dpcore/__init__.py"):
        return
    submodules = {module.stem for module in (ROOT / "dpcore").iterdir()}
    for node in nodes(tree):
        if isinstance(node, ast.Import) and any(alias.name == "dpcore" for alias in node.names):
            yield f"line {node.lineno}: imports dpcore as a whole"
        elif isinstance(node, ast.ImportFrom) and node.module == "dpcore":
            names = {alias.name for alias in node.names if alias.name != "__version__"}
            for name in sorted(names - submodules):
                yield f"line {node.lineno}: imports {name} from the root, not where it is defined"


def functions_fit_on_a_screen(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if body and node.end_lineno and node.end_lineno - body[0].lineno >= 50:
                yield f"line {node.lineno}: {node.name} has more than 50 lines of code"


def public_names_are_documented(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    if not inside(path, *LIBRARY):
        return
    documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    public = [node for node in tree.body if getattr(node, "name", "_")[0] != "_"]
    methods = [method for node in public if isinstance(node, ast.ClassDef) for method in node.body]
    for node in public + methods:
        if isinstance(node, documented) and not node.name.startswith("_"):
            overload = any(ast.unparse(mark).endswith("overload") for mark in node.decorator_list)
            if not overload and not ast.get_docstring(node):
                yield f"line {node.lineno}: {node.name} has no docstring"


def only_packages_list_their_names(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    """Public are packages, and modules right below dpcore; elsewhere an underscore says enough."""
    deep = inside(path, "dpcore") and len(path.parts) > 2 and path.name != "__init__.py"
    for node in tree.body if deep else ():
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield f"line {node.lineno}: a module in a package declares __all__"


# Expressions for words and columns by which a second home of a result is known, and the one home.
HOMES = {
    r"(private|\}) AUC is \{": "dpcore/publications/roc.py",
    "possible for these records": "dpcore/publications/roc.py",
    "tpr_lower": "dpcore/publications/roc.py",
    r"the released counts \{": "dpcore/publications/calibration.py",
    "true_observed": "dpcore/publications/calibration.py",
    "no point of the ": "dpcore/publications/ecdf.py",
    "groups large enough to judge": "dpcore/publications/contrasts.py",
    r"are flagged \(\{": "dpcore/publications/decisions.py",
    "PRIVATE RELEASE, ": "dpcore/publications/report.py",
    "Privacy ledger": "dpcore/publications/report.py",
    "this is not a private release": "dpcore/publications/report.py",
}
ANY_HOME = re.compile("|".join(HOMES))
# What only one file may do: the tables of charges, the rows of CSV, the steps of a study, finding
# what is declared in a folder, and showing signs that cannot be seen. (Readers write CSV as well:
# what a workbook holds goes on to the reader of lines.)
DOERS = {
    "short": ("charge.loss.short", "dpcore/publications/publication.py"),
    "writer": ("csv.writer", "dpcore/publications/publication.py"),
    "select": ("steps.select", "dpcore/study"),
    "train": ("steps.train", "dpcore/study"),
    "iter_modules": ("iter_modules", "dpcore/registry.py"),
    "isprintable": ("isprintable", "dpcore/figures/picture.py"),
}


READERS = "dpcore/data/reading"


def a_result_has_one_home(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    """A sentence, a table or a file of a result, or how a study runs, is told in one place."""
    if not inside(path, "dpcore", "pages"):
        return
    for node in nodes(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            # As it is written: the place of a number is part of a sentence.
            text = ast.unparse(node) if isinstance(node, ast.JoinedStr) else str(node.value)
            if not ANY_HOME.search(text):
                continue
            for words, home in HOMES.items():
                if re.search(words, text) and not inside(path, home):
                    yield f"line {node.lineno}: {words!r} is told in {home}"
        elif isinstance(node, ast.Attribute) and node.attr in DOERS:
            what, home = DOERS[node.attr]
            if ast.unparse(node).endswith(what) and not inside(path, home, READERS):
                yield f"line {node.lineno}: {what} belongs to {home}"


# Each rule with a file and texts that each break it, and a file and a text that it lets pass.
RULES: list[tuple[Rule, tuple[str, ...], tuple[str, str]]] = [
    (
        draws_only_in_release,
        ("dpcore/models/a.py", "sampler = mechanism.draw", "mechanism.without_noise(value)"),
        ("dpcore/release.py", "mechanism.draw(value, noise)"),
    ),
    (
        noise_only_in_mechanisms,
        ("dpcore/evaluation/a.py", "noise.discrete_laplace(1, 2)", "self.noise.uniform(2)"),
        ("dpcore/mechanisms/a.py", "noise.discrete_laplace(1, 2)"),
    ),
    (
        randomness_only_in_noise,
        ("dpcore/data/reading/a.py", "rng = np.random.default_rng(1)", "from numpy import random"),
        ("dpcore/noise/a.py", "import secrets"),
    ),
    (
        streamlit_only_in_pages,
        ("dpcore/figures/a.py", "def f():\n    import streamlit as st"),
        ("pages/widgets/a.py", "import streamlit as st"),
    ),
    (
        plotly_only_in_figures,
        ("pages/a.py", "from plotly import graph_objects", "import plotly.express"),
        ("dpcore/figures/a.py", "import plotly.graph_objects as go"),
    ),
    (
        no_pickle,
        ("tests/a.py", "np.load(path, allow_pickle=True)", "import joblib", "pickle.loads(text)"),
        ("tests/a.py", "np.load(path)\nimport pickle\npickle.dumps(ledger)"),
    ),
    (
        no_shortcut_through_the_root,
        ("dpcore/errors.py", "from dpcore import Ledger", "import dpcore"),
        ("dpcore/release.py", "from dpcore import _check"),
    ),
    (
        functions_fit_on_a_screen,
        ("tests/a.py", "def f():\n" + 51 * "    x = 1\n"),
        ("tests/a.py", "def f():\n    '''Long.\n" + 51 * "\n" + "    '''\n" + 50 * "    x = 1\n"),
    ),
    (
        a_result_has_one_home,
        (
            "pages/roc/page.py",
            "f'the private AUC is {auc:.3f}'",
            "('threshold', 'tpr_lower')",
            "rows = [(charge.label, charge.loss.short)]",
            "csv.writer(text)",
            "from dpcore.study import steps\nsteps.train(prepared)",
            "pkgutil.iter_modules(place)",
            "sign.isprintable()",
        ),
        ("dpcore/publications/roc.py", "f'the private AUC is {auc:.3f}'"),
    ),
    (
        only_packages_list_their_names,
        ("dpcore/models/a.py", "__all__ = ['A']"),
        ("dpcore/models/__init__.py", "__all__ = ['A']"),
    ),
    (
        public_names_are_documented,
        ("dpcore/a.py", "class A:\n    '''A.'''\n    def f(self): ...", "def f(): ..."),
        ("dpcore/a.py", "def _f(): ..."),
    ),
]
RULE_NAMES = [rule.__name__ for rule, _, _ in RULES]


def test_the_project_keeps_the_rules() -> None:
    offences = []
    for path in SOURCES:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        for rule, name in zip((rule for rule, _, _ in RULES), RULE_NAMES, strict=True):
            offences += [f"{name}: {path}: {offence}" for offence in rule(path, tree)]
    assert not offences, "\n".join(offences)


@pytest.mark.parametrize("rule, breaks, keeps", RULES, ids=RULE_NAMES)
def test_the_rule_can_fail(rule: Rule, breaks: tuple[str, ...], keeps: tuple[str, str]) -> None:
    path, *texts = breaks
    for text in texts:
        assert list(rule(PurePosixPath(path), ast.parse(text))), text
    assert not list(rule(PurePosixPath(keeps[0]), ast.parse(keeps[1])))


def missing_names(module: ModuleType) -> list[str]:
    """Names that `__all__` promises and the module lacks."""
    return [name for name in getattr(module, "__all__", ()) if not hasattr(module, name)]


MODULES = [
    ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    for path in DPCORE
    if path.name != "__main__.py" and path not in OLD_NAMES
]


def test_every_promised_name_can_be_imported() -> None:
    found = {name: missing_names(importlib.import_module(name)) for name in MODULES}
    assert {name: missing for name, missing in found.items() if missing} == {}


def test_a_promised_name_that_is_missing_is_found() -> None:
    module = ModuleType("module")
    module.__all__ = ["absent"]  # type: ignore[attr-defined]
    assert missing_names(module) == ["absent"]


def untested(modules: list[PurePosixPath], tests: list[PurePosixPath]) -> list[str]:
    """Modules of dpcore that no test file in the mirrored folder, or below it, names."""
    lacking = []
    for path in modules:
        name = path.stem.strip("_")
        folder = PurePosixPath("tests", *path.parent.parts[1:])
        named = any(inside(test, str(folder)) and name in test.stem for test in tests)
        exempt = path in OLD_NAMES or path.name in {"__init__.py", "__main__.py", "_typing.py"}
        if not exempt and not named:
            lacking.append(f"{path}: expected {folder}/test_{name}.py")
    return lacking


TESTS = [path for path in SOURCES if path.parts[0] == "tests" and path.name.startswith("test_")]


def test_every_module_has_a_test_file_that_names_it() -> None:
    assert not untested(DPCORE, TESTS), "\n".join(untested(DPCORE, TESTS))


def test_a_module_without_a_test_file_is_found() -> None:
    module, test = PurePosixPath("dpcore/noise/a.py"), PurePosixPath("tests/noise/test_a.py")
    elsewhere = PurePosixPath("tests/models/test_a.py")
    assert untested([module], [test]) == []
    assert untested([module], [elsewhere]) == ["dpcore/noise/a.py: expected tests/noise/test_a.py"]


def test_there_is_something_to_check() -> None:
    assert len(DPCORE) > 10
    assert len(TESTS) > 10
