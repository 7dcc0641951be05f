"""What the Dockerfile builds and runs, done step by step where there is no Docker."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import pytest
import yaml

from tests import _dockerfile
from tests.test_architecture import DPCORE, ROOT, SOURCES

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
RULES = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
PATIENCE = 120.0


@pytest.fixture(scope="module")
def image() -> Iterator[Path]:
    """What is copied into the image, where nobody may write."""
    # Not below pytest's own folder, which no other user can enter.
    with TemporaryDirectory() as folder:
        app = Path(folder)
        assert _dockerfile.copy(DOCKERFILE, RULES, app) == []
        for path in (app, *app.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield app


@pytest.fixture
def scratch() -> Iterator[Path]:
    """The one folder that everybody may write to."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def powerless() -> list[str]:
    """What stands before a command so that it runs without the rights of the superuser."""
    if os.geteuid() != 0:
        return []
    if not (setpriv := shutil.which("setpriv")):
        pytest.skip("the superuser may write anywhere, and there is no setpriv to prevent it")
    other = [setpriv, "--reuid=10001", "--regid=10001", "--clear-groups"]
    if subprocess.run([*other, sys.executable, "-c", ""], capture_output=True).returncode == 0:
        return other
    return [setpriv, "--inh-caps=-all", "--bounding-set=-all"]


@contextmanager
def running(app: Path, python: str, scratch: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run CMD in the copy, with the variables of ENV; only `scratch` can be written to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ours = _dockerfile.environment(DOCKERFILE) | {
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "DPCORE_LEDGER": str(scratch / "ledger.sqlite"),
        "DPCORE_STATE": str(scratch / "state"),
        "STREAMLIT_SERVER_PORT": str(port),
    }
    words = [
        python if word == "python" else word for word in _dockerfile.exec_form(DOCKERFILE, "CMD")
    ]
    with (scratch / "log").open("wb") as log:
        server = subprocess.Popen(
            [*powerless(), *words], cwd=app, env={"PATH": os.environ["PATH"]} | ours, stdout=log,
            stderr=log,
        )  # fmt: skip
        try:
            yield server, port
        finally:
            server.kill()
            server.wait()


def healthy(python: str, port: int) -> bool:
    """Whether the command of HEALTHCHECK succeeds; it asks for the port that EXPOSE names."""
    (exposed,) = _dockerfile.arguments(DOCKERFILE, "EXPOSE")
    _, *words = _dockerfile.exec_form(DOCKERFILE, "HEALTHCHECK")
    asked = [word.replace(f":{exposed}/", f":{port}/") for word in words]
    assert asked != words
    return subprocess.run([python, *asked], capture_output=True, timeout=30).returncode == 0


def runs(app: Path, python: str, scratch: Path) -> None:
    """The container's life: it gets healthy, answers, keeps its figures, and stops when told."""
    with running(app, python, scratch) as (server, port):
        deadline = time.monotonic() + PATIENCE
        while server.poll() is None and not healthy(python, port):
            assert time.monotonic() < deadline, (scratch / "log").read_text()
            time.sleep(0.2)
        assert server.poll() is None, (scratch / "log").read_text()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
            assert b"<style>" in answer.read()
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/metrics", timeout=30)
        server.terminate()
        # Done with its work, the server raises the signal again, which ends all but process 1.
        assert server.wait(timeout=20) in {0, -signal.SIGTERM}
        assert not healthy(python, port)


def test_the_copy_runs_as_the_image_would(image: Path, scratch: Path) -> None:
    runs(image, sys.executable, scratch)


@pytest.mark.slow
def test_the_copy_counts_where_nothing_else_can_be_written(image: Path, scratch: Path) -> None:
    # More than are counted without the compiled loop, whose code is kept in HOME.
    rows = "y,p\n" + "1,0.75\n0,0.25\n" * 200_000
    (scratch / "a.csv").write_text(rows)
    words = ["evaluate", str(scratch / "a.csv"), "--label", "y", "--positive", "1", "--score", "p"]
    more = ["--epsilon", "1", "--quiet", "--out", str(scratch / "report")]
    done = subprocess.run(
        [*powerless(), sys.executable, "-m", "dpcore", *words, *more],
        cwd=image, env={"PATH": os.environ["PATH"], "HOME": str(scratch)}, capture_output=True,
        text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_fresh_installation_runs_as_the_image_would(image: Path, scratch: Path) -> None:
    """Everything that RUN installs, into an environment that holds nothing else."""
    subprocess.run([sys.executable, "-m", "venv", scratch / "fresh"], check=True)
    python = str(scratch / "fresh" / "bin" / "python")
    (install,) = [rest for rest in _dockerfile.arguments(DOCKERFILE, "RUN") if "pip" in rest]
    assert install.startswith("pip install ")
    done = subprocess.run(
        [python, "-m", *install.split()], cwd=image, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    runs(image, python, scratch)


def test_what_the_code_needs_is_copied_and_nothing_else(image: Path) -> None:
    copied = {PurePosixPath(path.relative_to(image)) for path in image.rglob("*") if path.is_file()}
    assert set(DPCORE) <= copied
    assert {path.parts[0] for path in copied} == {
        *("app.py", "server.py", "requirements.lock", "LICENSE", "README.md"),
        *(".streamlit", "dpcore", "pages", "reproductions", "sample_data"),
    }
    junk = re.compile(r"\.pyc$|__pycache__|^sample_data/.*\.py$|secrets|\.sqlite")
    assert [path for path in map(str, copied) if junk.search(path)] == []


@pytest.mark.parametrize(
    "path, ignored",
    [
        ("app.py", False),
        ("dpcore/cli/run.py", False),
        ("dpcore/cli/__pycache__/run.pyc", True),
        (".streamlit/config.toml", False),
        (".streamlit/secrets.toml", True),
        ("tests/a.py", True),
    ],
)
def test_ignored_paths(path: str, ignored: bool) -> None:
    assert _dockerfile.is_ignored(PurePosixPath(path), RULES) is ignored


def test_the_image_is_built_as_experts_do() -> None:
    steps = [word for word, _ in _dockerfile.instructions(DOCKERFILE)]
    (base,) = _dockerfile.arguments(DOCKERFILE, "ARG")
    assert re.fullmatch(r"BASE=python:3\.1[123](\.\d+)?-slim-[a-z]+@sha256:[0-9a-f]{64}", base)
    assert _dockerfile.arguments(DOCKERFILE, "FROM") == ["${BASE}"]
    # Packages change less often than code, and are not installed again for each of its changes.
    installed = next(
        at
        for at, step in enumerate(_dockerfile.instructions(DOCKERFILE))
        if "pip install" in step[1]
    )
    assert steps[:installed].count("COPY") == 1
    assert steps.index("USER") > max(at for at, word in enumerate(steps) if word in {"RUN", "COPY"})
    assert _dockerfile.arguments(DOCKERFILE, "USER") != ["root"]
    assert "--no-cache-dir" in DOCKERFILE


def names_read() -> set[str]:
    """Texts in the code that look like the name of a variable of ours."""
    paths = [path for path in SOURCES if path.parts[0] in {"dpcore", "pages"}]
    code = "".join((ROOT / path).read_text(encoding="utf-8") for path in paths)
    return set(re.findall(r'"(DPCORE_[A-Z_]+)"', code))


def test_every_variable_that_is_set_is_read() -> None:
    from streamlit.config import _config_options_template as options

    streamlit = {f"STREAMLIT_{re.sub(r'(?<!^)(?=[A-Z])', '_', name)}".upper().replace(".", "_")
                 for name in options}  # fmt: skip
    known = names_read() | streamlit | {"HOME", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    ours = set(_dockerfile.environment(DOCKERFILE)) | set(COMPOSE["services"]["app"]["environment"])
    assert ours - known == set()
    assert "DPCORE_MOOD" not in known
    assert {"DPCORE_MODE", "DPCORE_LEDGER", "DPCORE_SETTINGS", "DPCORE_DATA_ROOT"} <= known
    caddy = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    for name in COMPOSE["services"]["proxy"]["environment"]:
        assert f"{{${name}}}" in caddy


def test_every_service_is_limited() -> None:
    for service in COMPOSE["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
        # Nothing more on the disk either.
        assert service["memswap_limit"] == service["mem_limit"]
        assert 0 < service["pids_limit"] <= 512
        assert all(":size=" in mount for mount in service["tmpfs"])
    # Ports below 1024.
    assert "cap_add" not in COMPOSE["services"]["app"]
    assert COMPOSE["services"]["proxy"]["cap_add"] == ["NET_BIND_SERVICE"]


def test_compose_names_only_what_is_there() -> None:
    deploy = ROOT / "deploy"
    build = COMPOSE["services"]["app"]["build"]
    assert (deploy / build["context"] / "Dockerfile").is_file()
    # The same base, unless somebody names another one.
    (base,) = _dockerfile.arguments(DOCKERFILE, "ARG")
    name, _, image = base.partition("=")
    assert build["args"] == {name: f"${{{name}:-{image}}}"}
    for service in COMPOSE["services"].values():
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        for mount in service["volumes"]:
            source = mount.rsplit(":/", 1)[0]
            if source.startswith("./"):
                example = deploy / source.replace(".toml", ".example.toml")
                assert (deploy / source).is_file() or example.is_file(), source
            elif not source.startswith("${"):
                assert source in COMPOSE["volumes"], source


def test_what_the_code_writes_lies_where_compose_lets_it_write() -> None:
    app, ours = COMPOSE["services"]["app"], _dockerfile.environment(DOCKERFILE)
    places = [PurePosixPath(mount.split(":")[1]) for mount in app["volumes"] if ":ro" not in mount]
    places += [PurePosixPath(mount.split(":")[0]) for mount in app["tmpfs"]]
    assert app["read_only"] is True
    for name in ("HOME", "DPCORE_LEDGER", "DPCORE_STATE"):
        assert any(PurePosixPath(ours[name]).is_relative_to(place) for place in places), name
