"""``python -m examples.federation``: the demonstration, and every role by hand."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from threading import Thread

import pytest

from examples.federation.command import RECORDS, main


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


# test_demo.py compares the counts of both protocols with those of a curator.
@pytest.mark.slow
def test_the_demonstration_agrees_with_a_curator(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--parties", "4", "--lose", "1", "--records", "9"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("the counts are the same as a curator without noise") == 2
    assert "secure-aggregation: 4 parties and 1 server, each a process; 3 parties are" in printed
    assert "function-secret-sharing: 4 parties and 2 servers" in printed


def test_below_the_threshold_the_exit_code_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["demo", "--parties", "4", "--lose", "2", "--protocol"]
    assert main([*command, "secure-aggregation"]) == 1
    assert "2 parties are left and the threshold is 3" in capsys.readouterr().err


def test_every_role_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["setup", "--protocol", "function-secret-sharing", "--parties", "2"]
    assert main([*command, "--points", "5", "--capacity", "3"]) == 0
    terms = tmp_path / "terms.json"
    terms.write_text(capsys.readouterr().out)
    ports = [free_port(), free_port()]
    connect = [word for port in ports for word in ("--connect", f"127.0.0.1:{port}")]
    roles = [
        ["server", "--number", str(one), "--listen", f"127.0.0.1:{port}"]
        for one, port in enumerate(ports)
    ]
    # A line is a record: odd ones keep no party from taking part, and none is two records.
    for one, text in enumerate((b"0.1\nmany\n\xff\n0.5\r\n", b"0.6\n0.1 0.2")):
        data = tmp_path / f"{one}.txt"
        data.write_bytes(text)
        roles.append(["party", "--number", str(one), "--data", str(data), *connect])
    codes: list[int] = []
    threads = []
    for role in roles:
        arguments = [role[0], "--setup", str(terms), *role[1:]]
        threads.append(Thread(target=lambda given=arguments: codes.append(main(given))))
    for thread in threads[:2]:
        thread.start()
    _wait_for(ports)
    for thread in threads[2:]:
        thread.start()
    asked = ["ask", "--setup", str(terms), *connect, "--at", "0.5", "--at", "1"]
    assert main(asked) == 0
    for thread in threads:
        thread.join()
    assert codes == [0, 0, 0, 0]
    assert [line.split() for line in capsys.readouterr().out.splitlines()[2:]] == [
        ["0.5", "2"],
        ["1", "3"],
    ]


def _wait_for(ports: list[int]) -> None:
    """Until somebody listens; the ports are looked up, since a connection would count as a role."""
    wanted = {f":{port:04X}" for port in ports}
    for _ in range(200):
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        listening = {line.split()[1][-5:] for line in lines if line.split()[3] == "0A"}
        if wanted <= listening:
            return
        time.sleep(0.05)
    raise TimeoutError(ports)


@pytest.mark.parametrize(
    "command, says",
    [
        (["setup"], "--protocol must be one of"),
        (["setup", "--protocol", "secure-aggregation", "--seed", "x"], "--seed"),
        (["demo", "--servers", "3"], "--servers must be 2"),
    ],
)
def test_what_cannot_be_understood(
    command: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    assert says in capsys.readouterr().err


def test_files_and_addresses_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["setup", "--protocol", "secure-aggregation", "--parties", "3"])
    terms, data = tmp_path / "terms.json", tmp_path / "data.txt"
    terms.write_text(capsys.readouterr().out)
    assert json.loads(terms.read_text())["threshold"] == 2
    data.write_text("1\n")
    party = ["party", "--setup", str(terms), "--number", "0", "--data", str(data)]
    assert main([*party, "--connect", "nowhere"]) == 2
    assert "HOST:PORT" in capsys.readouterr().err
    assert main([*party, "--connect", "a:1", "--connect", "b:2"]) == 2
    assert "--connect must be given 1 times" in capsys.readouterr().err
    assert main([*party[:4], "9", *party[5:], "--connect", "127.0.0.1:9"]) == 1
    terms.write_text("{}")
    assert main([*party, "--connect", "127.0.0.1:9"]) == 1
    assert "not the setup of a federation" in capsys.readouterr().err


def test_the_defaults_are_those_that_the_help_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--protocol", "secure-aggregation"]) == 0
    terms = json.loads(capsys.readouterr().out)
    found = (terms["parties"], terms["points"], terms["low"], terms["high"], terms["patience"])
    assert found == (8, 64, 0.0, 1.0, 30.0)
    assert terms["capacity"] == RECORDS
    with pytest.raises(SystemExit):
        main(["demo", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for words in ("(default: both)", "(default: 8)", "(default: 64)", f"(default: {RECORDS})"):
        assert words in said
    assert "(default: 30)" in said


def test_a_number_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["demo", "--lose", "2.5"])
    assert "invalid int value" in capsys.readouterr().err
