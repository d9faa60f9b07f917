"""An SSH server inside the test's process that lets nobody in without an answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh

from tests.sources.servers import Server

Challenge = bool | tuple[str, str, str, Sequence[tuple[str, bool]]]


class Doorkeeper(asyncssh.SSHServer):
    """Lets in who knows the password, or answers all rounds of questions, or both; notes what is tried.

    Args:
        password: The password; None where there is no such way in.
        rounds: Keyboard-interactive questions: rounds of (prompt, whether it is echoed, the right answer).
        banner: What is printed before the login.
    """

    def __init__(
        self,
        password: str | None = None,
        rounds: Sequence[Sequence[tuple[str, bool, str]]] = (),
        banner: str = "",
    ) -> None:
        self.tried: list[str] = []
        self.server: Server | None = None
        self.password = password
        self.rounds = rounds
        self._banner = banner
        self._round = 0
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        if self.server:
            self.server.connections.append(conn)

    def begin_auth(self, username: str) -> bool:
        if self._banner and self._connection:
            self._connection.send_auth_banner(self._banner)
        return True

    def password_auth_supported(self) -> bool:
        return self.password is not None

    def validate_password(self, username: str, password: str) -> bool:
        self.tried.append(password)
        return password == self.password

    def kbdint_auth_supported(self) -> bool:
        return bool(self.rounds)

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Challenge:
        self._round = 0
        return self._challenge()

    def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> Challenge:
        self.tried += responses
        if list(responses) != [answer for _, _, answer in self.rounds[self._round]]:
            return False
        self._round += 1
        return True if self._round == len(self.rounds) else self._challenge()

    def _challenge(self) -> Challenge:
        return (
            "",
            f"Round {self._round + 1}\x1b[2J",
            "",
            [(prompt, is_echoed) for prompt, is_echoed, _ in self.rounds[self._round]],
        )


@asynccontextmanager
async def serving_questions(
    folder: Path, doorkeeper: Doorkeeper, authority: asyncssh.SSHKey | None = None
) -> AsyncIterator[Server]:
    """A server that lets nobody in without an answer; with an authority its host key has a certificate too."""
    server = Server(folder)
    doorkeeper.server = server
    listener = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_factory=lambda: doorkeeper,
        process_factory=server.run,
        server_host_keys=[_with_certificate(server.host_key, authority)],
        encoding=None,
    )
    server.port = listener.get_port()
    server.write_files()
    try:
        yield server
    finally:
        listener.close()
        await server.close()
        await listener.wait_closed()


def _with_certificate(key: asyncssh.SSHKey, authority: asyncssh.SSHKey | None) -> object:
    if authority is None:
        return key
    return key, authority.generate_host_certificate(key, "host", principals=["127.0.0.1"])
