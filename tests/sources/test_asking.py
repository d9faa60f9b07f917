"""What a login asks of a person, what it does with the answers, and what it keeps of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncssh
import pytest

from tests.sources.askers import Scripted, Slow
from tests.sources.doorkeeper import Doorkeeper, serving_questions
from tests.sources.listening import BRISK, Heard, following, read_once
from tests.sources.servers import Server, serving
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.asking import Question, plain_lines
from tui.sources.open import open_source
from tui.sources.pace import Pace
from tui.sources.ssh import OPENED_AT_A_TIME, Connections, SshOptions
from tui.target import parse_target

few_rounds = pytest.mark.filterwarnings("ignore:.*bcrypt.kdf.*:UserWarning")
"""For keys whose lock is weak, and so made in no time."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_bytes(b"1\n2\n")
    return tmp_path / "log.jsonl"


def connections(server: Server, asker: Scripted, keys: tuple[Path, ...] | None = ()) -> Connections:
    return Connections(SshOptions((), (server.known_hosts,), keys), asker)


async def read(server: Server, log: Path, asker: Scripted) -> Heard:
    return await read_once(f"{server.address}{log}", connections(server, asker))


# Passwords


async def test_a_password_is_asked_for_with_who_asks_and_what_the_server_printed(
    tmp_path: Path, log: Path
) -> None:
    asker = Scripted(["hunter2"])
    doorkeeper = Doorkeeper("hunter2", banner="Authorised \x1b[31muse\r\n\r\nonly.\r\n")
    async with serving_questions(tmp_path / "server", doorkeeper) as server:
        assert (await read(server, log, asker)).data == b"1\n2\n"
        login = f"someone@127.0.0.1:{server.port}"
    said = ("Authorised [31muse", "only.")
    assert asker.asked == [Question("password", login, f"password of {login}", is_secret=True, said=said)]


async def test_a_wrong_password_is_asked_for_again_three_times_in_all(tmp_path: Path, log: Path) -> None:
    asker = Scripted(["one", "two", "three", "four"])
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as server:
        heard = await read(server, log, asker)
    assert [question.said for question in asker.asked] == [(), *[("That was not accepted.",)] * 2]
    assert heard.last_link.state is LinkState.REFUSED
    assert "what was typed is not right; press R to try again" in (heard.last_link.detail or "")


async def test_a_password_is_kept_for_reconnecting_and_forgotten_once_it_is_wrong(
    tmp_path: Path, log: Path
) -> None:
    asker = Scripted(["hunter2", "other"])
    doorkeeper = Doorkeeper("hunter2")
    async with serving_questions(tmp_path / "server", doorkeeper) as server:
        shared = connections(server, asker)
        for _ in range(2):
            assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"
        assert asker.kinds == ["password"]
        doorkeeper.password = "other"
        assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"
    assert doorkeeper.tried == ["hunter2", "hunter2", "hunter2", "other"]
    assert asker.kinds == ["password", "password"]


async def test_a_refused_question_is_the_last_one_and_r_asks_again(tmp_path: Path, log: Path) -> None:
    asker = Scripted([None, "hunter2"])
    doorkeeper = Doorkeeper("hunter2", [[("Code: ", False, "1")]])
    async with serving_questions(tmp_path / "server", doorkeeper) as server:
        target = parse_target(f"{server.address}{log}")
        source = open_source(target, connections(server, asker), pace=BRISK)
        async with following(source) as heard:
            await eventually(lambda: LinkState.REFUSED in heard.links)
            assert "asks for the Code; press R to be asked again" in (heard.last_link.detail or "")
            assert asker.kinds == ["code"]
            doorkeeper.rounds = []
            source.retry_now()
            await heard.has(b"1\n2\n")


async def test_all_logs_on_a_host_share_one_question_and_one_refusal(tmp_path: Path, log: Path) -> None:
    asker = Slow([None])
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as server:
        shared = connections(server, asker)
        reading = [asyncio.create_task(read_once(f"{server.address}{log}", shared)) for _ in range(3)]
        await eventually(lambda: asker.asked)
        asker.may_answer.set()
        heard = await asyncio.gather(*reading)
    assert asker.kinds == ["password"]
    assert {one.last_link.state for one in heard} == {LinkState.REFUSED}


async def test_the_time_of_a_login_does_not_run_while_a_person_thinks(tmp_path: Path, log: Path) -> None:
    asker = Slow(["hunter2"])
    pace = Pace(connect_s=0.3)
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as server:
        source = open_source(parse_target(f"{server.address}{log}"), connections(server, asker), pace=pace)
        async with following(source) as heard:
            await eventually(lambda: asker.asked)
            begun = asyncio.get_running_loop().time()
            await eventually(lambda: asyncio.get_running_loop().time() > begun + 2 * pace.connect_s)
            asker.may_answer.set()
            await heard.has(b"1\n2\n")
    assert LinkState.RETRYING not in heard.links


async def test_a_login_that_waits_for_a_person_keeps_no_other_from_beginning(
    tmp_path: Path, log: Path
) -> None:
    asker = Slow(["hunter2"])
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as server:
        shared = connections(server, asker)
        reading = asyncio.create_task(read_once(f"{server.address}{log}", shared))
        await eventually(lambda: asker.asked)
        lanes = (shared._logins._quick, shared._logins._slow, shared._logins._asking)
        assert [lane._free for lane in lanes] == [OPENED_AT_A_TIME, OPENED_AT_A_TIME, OPENED_AT_A_TIME - 1]
        asker.may_answer.set()
        assert (await reading).data == b"1\n2\n"
        assert [lane._free for lane in lanes] == [OPENED_AT_A_TIME] * 3


async def test_a_question_is_taken_back_when_the_server_hangs_up_and_not_put_again_unasked(
    tmp_path: Path, log: Path
) -> None:
    asker = Slow(["hunter2", "hunter2"])
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as server:
        source = open_source(parse_target(f"{server.address}{log}"), connections(server, asker), pace=BRISK)
        async with following(source) as heard:
            await eventually(lambda: asker.asked)
            server.cut()
            await eventually(lambda: LinkState.REFUSED in heard.links)
            assert "did not wait for the password of" in (heard.last_link.detail or "")
            asker.may_answer.set()
            source.retry_now()
            await heard.has(b"1\n2\n")
    assert asker.kinds == ["password", "password"]


# Keyboard-interactive


async def test_every_prompt_of_every_round_is_asked_hidden_where_the_server_says_so(
    tmp_path: Path, log: Path
) -> None:
    rounds = [
        [("Password: ", False, "hunter2")],
        [("Token\x1b[2J: ", False, "42"), ("Colour: ", True, "red")],
    ]
    asker = Scripted(["hunter2", "42", "red"])
    async with serving_questions(tmp_path / "server", Doorkeeper(rounds=rounds)) as server:
        assert (await read(server, log, asker)).data == b"1\n2\n"
    assert [(question.kind, question.text, question.is_secret) for question in asker.asked] == [
        ("password", "Password", True),
        ("code", "Token [2J", True),
        ("code", "Colour", False),
    ]
    assert [question.said for question in asker.asked] == [("Round 1 [2J",), *[("Round 2 [2J",)] * 2]


async def test_a_reconnect_asks_for_a_new_code_but_not_for_the_password(tmp_path: Path, log: Path) -> None:
    rounds = [[("(someone@box) Password: ", False, "hunter2")], [("Verification code: ", False, "42")]]
    asker = Scripted(["hunter2", "42", "42"])
    async with serving_questions(tmp_path / "server", Doorkeeper(rounds=rounds)) as server:
        shared = connections(server, asker)
        for _ in range(2):
            assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"
    assert asker.kinds == ["password", "code", "code"]


# Passphrases


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(Server(tmp_path / "server")) as running:
        yield running


def locked(server: Server, tmp_path: Path, kind: str, *, has_public: bool) -> SshOptions:
    """An ssh_config that names the server's user key, locked with `sesame`, and another one that it refuses."""
    files = (tmp_path / "id", tmp_path / "other")
    for file, key in zip(files, (server.user_key, asyncssh.generate_private_key("ssh-ed25519")), strict=True):
        key.write_private_key(file, kind, passphrase="sesame", rounds=1)
        if has_public:
            key.write_public_key(f"{file}.pub")
    config = tmp_path / "config"
    config.write_text(f"Host *\n IdentityFile {files[1]}\n IdentityFile {files[0]}\n IdentityAgent none\n")
    return SshOptions((config,), (server.known_hosts,))


@few_rounds
@pytest.mark.parametrize("has_public", [True, False])
async def test_the_passphrase_is_asked_for_of_the_one_key_that_the_server_accepts(
    server: Server, log: Path, tmp_path: Path, has_public: bool
) -> None:
    asker = Scripted(["wrong", "sesame"])
    options = locked(server, tmp_path, "openssh", has_public=has_public)
    shared = Connections(options, asker)
    for _ in range(2):
        assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"
    assert [(question.kind, question.text, question.said) for question in asker.asked] == [
        ("passphrase", f"passphrase of the key {tmp_path}/id", ()),
        ("passphrase", f"passphrase of the key {tmp_path}/id", ("That was not accepted.",)),
    ]


async def test_a_locked_key_without_its_public_half_is_unlocked_to_be_offered(
    server: Server, log: Path, tmp_path: Path
) -> None:
    asker = Scripted(["sesame", "sesame"])
    options = locked(server, tmp_path, "pkcs8-pem", has_public=False)
    assert (await read_once(f"{server.address}{log}", Connections(options, asker))).data == b"1\n2\n"
    assert asker.kinds == ["passphrase", "passphrase"]


@few_rounds
async def test_a_refused_passphrase_is_told(server: Server, log: Path, tmp_path: Path) -> None:
    asker = Scripted([])
    options = locked(server, tmp_path, "openssh", has_public=True)
    heard = await read_once(f"{server.address}{log}", Connections(options, asker))
    assert heard.last_link.state is LinkState.REFUSED
    assert f"asks for the passphrase of the key {tmp_path}/id; press R" in (heard.last_link.detail or "")
    assert asker.kinds == ["passphrase"]


# Host keys


def stranger(server: Server, asker: Scripted, extra: str = "") -> Connections:
    """Connections for which the server is unknown: its known_hosts ends in a line without a newline."""
    server.known_hosts.write_text("# mine")
    config = server.folder / "config"
    config.write_text(
        f"{extra}\nHost *\n UserKnownHostsFile {server.known_hosts}\n IdentityFile {server.key_file}\n"
        " IdentityAgent none\n"
    )
    return Connections(SshOptions((config,)), asker)


@pytest.mark.parametrize("answer", ["yes", "YES ", "fingerprint"])
async def test_an_unknown_host_key_is_shown_and_kept_once_it_is_accepted(
    server: Server, log: Path, answer: str
) -> None:
    fingerprint = server.host_key.get_fingerprint()
    asker = Scripted([answer.replace("fingerprint", fingerprint)])
    shared = stranger(server, asker)
    for _ in range(2):
        assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"
    name = f"[127.0.0.1]:{server.port}"
    assert asker.kinds == ["host key"]
    assert asker.asked[0].said[:2] == (f"The host key of {name} is not known:", f"ssh-ed25519 {fingerprint}")
    key = server.host_key.export_public_key().decode().split()[1]
    assert server.known_hosts.read_text() == f"# mine\n{name} ssh-ed25519 {key}\n"


@pytest.mark.parametrize("answer", ["no", "y", "", "SHA256:other", None])
async def test_anything_but_yes_or_the_fingerprint_refuses_the_host_and_is_not_kept(
    server: Server, log: Path, answer: str | None
) -> None:
    asker = Scripted([answer, "yes"])
    shared = stranger(server, asker)
    heard = await read_once(f"{server.address}{log}", shared)
    assert heard.last_link.state is LinkState.REFUSED
    assert "was not accepted; press R to be asked again" in (heard.last_link.detail or "")
    assert server.known_hosts.read_text() == "# mine"
    assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"


async def test_the_name_of_an_accepted_host_is_hashed_where_ssh_config_wants_that(
    server: Server, log: Path
) -> None:
    shared = stranger(server, Scripted(["yes"]), "HashKnownHosts yes")
    assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"
    assert server.known_hosts.read_text().startswith("# mine\n|1|")
    assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"


async def test_nobody_is_asked_where_host_keys_are_checked_strictly(server: Server, log: Path) -> None:
    asker = Scripted(["yes"])
    heard = await read_once(f"{server.address}{log}", stranger(server, asker, "StrictHostKeyChecking yes"))
    assert heard.last_link.state is LinkState.REFUSED
    assert "is not known" in (heard.last_link.detail or "")
    assert not asker.asked


async def test_a_changed_host_key_is_never_asked_about(server: Server, log: Path) -> None:
    asker = Scripted(["yes"])
    shared = stranger(server, asker, "StrictHostKeyChecking no")
    other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    server.known_hosts.write_text(f"[127.0.0.1]:{server.port} {other}")
    heard = await read_once(f"{server.address}{log}", shared)
    assert "HAS CHANGED" in (heard.last_link.detail or "")
    assert not asker.asked


async def test_another_key_of_the_same_name_on_the_usual_port_is_no_change(server: Server, log: Path) -> None:
    shared = stranger(server, asker := Scripted(["yes"]))
    other = asyncssh.generate_private_key("ecdsa-sha2-nistp256").export_public_key().decode()
    server.known_hosts.write_text(f"127.0.0.1 {other}")  # of another kind than the server's
    assert (await read_once(f"{server.address}{log}", shared)).data == b"1\n2\n"
    assert asker.kinds == ["host key"]


async def test_a_key_that_cannot_be_kept_is_told(server: Server, log: Path) -> None:
    shared = stranger(server, Scripted(["yes"]))
    server.known_hosts.unlink()
    server.known_hosts.mkdir()
    heard = await read_once(f"{server.address}{log}", shared)
    assert "the host key can't be kept in" in (heard.last_link.detail or "")


async def test_every_host_on_the_way_is_asked_about_in_its_turn(
    server: Server, log: Path, tmp_path: Path
) -> None:
    async with serving(Server(tmp_path / "jump")) as jump:
        config, known = tmp_path / "config", tmp_path / "known"
        config.write_text(
            f"Host inner\n Port {server.port}\n IdentityFile {server.key_file}\n ProxyJump outer\n"
            f"Host outer\n Port {jump.port}\n IdentityFile {jump.key_file}\n"
            f"Host *\n HostName 127.0.0.1\n UserKnownHostsFile {known}\n IdentityAgent none\n"
        )
        asker = Scripted(["yes", "yes"])
        heard = await read_once(f"inner:{log}", Connections(SshOptions((config,)), asker))
        assert heard.data == b"1\n2\n"
        names = [f"[127.0.0.1]:{one.port}" for one in (jump, server)]
        assert [question.said[0].split()[4] for question in asker.asked] == names
        assert [line.split()[0] for line in known.read_text().splitlines()] == names


async def test_of_a_stranger_with_a_certificate_the_key_itself_is_shown(tmp_path: Path, log: Path) -> None:
    asker = Scripted(["yes", "hunter2"])
    authority = asyncssh.generate_private_key("ssh-ed25519")
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2"), authority) as server:
        server.known_hosts.write_text("")
        assert (await read(server, log, asker)).data == b"1\n2\n"
        assert asker.asked[0].said[1] == f"ssh-ed25519 {server.host_key.get_fingerprint()}"


async def test_a_certificate_of_a_known_authority_is_accepted_unasked(tmp_path: Path, log: Path) -> None:
    asker = Scripted(["hunter2"])
    authority = asyncssh.generate_private_key("ssh-ed25519")
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2"), authority) as server:
        server.known_hosts.write_text(f"@cert-authority * {authority.export_public_key().decode()}")
        assert (await read(server, log, asker)).data == b"1\n2\n"
    assert asker.kinds == ["password"]


# Secrets


async def test_no_secret_is_in_a_repr_a_log_or_a_message(
    tmp_path: Path, log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asyncssh.set_debug_level(2)
    caplog.set_level("DEBUG")
    asker = Scripted(["hunter3", "hunter2"])
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as server:
        shared = connections(server, asker)
        heard = await read_once(f"{server.address}{log}", shared)
    asyncssh.set_debug_level(1)
    assert heard.data == b"1\n2\n"
    assert "hunter" not in f"{caplog.text}{shared!r}{vars(shared)!r}{heard!r}{asker.asked!r}"


def test_a_long_banner_is_cut_and_blank_lines_go() -> None:
    assert plain_lines("a\n\n \t\nb\x07\n") == ("a", "b")
    assert len(plain_lines("line\n" * 100)) == 12
