"""Our side of a login's conversation: it notes what the server shows, and has a person answer what it asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import asyncssh

from tui.sources.asking import Interview, Question, plain_lines
from tui.sources.keys import LockedFile, LockedPair, try_passphrase
from tui.sources.trouble import plain

TRIES = 3
"""How often a password is asked for: `NumberOfPasswordPrompts` of ssh, where nobody has set it."""

_PASSWORD = re.compile(r"(?i)\s*(\([^()]*\)\s*)?password(\s+for\s+\S+)?\s*:?\s*")
"""A keyboard-interactive prompt that means the login's password, as PAM and sshd write it; all else is a code."""

_NOT_ACCEPTED = ("That was not accepted.",)


class Greeter(asyncssh.SSHClient):
    """Answers for the person; agrees to no host key.

    Args:
        login: `user@host`, for the person.
        interview: Asks the person.
        locked: Keys that need a passphrase, which is asked for when the host has accepted the key.
    """

    def __init__(self, login: str, interview: Interview, locked: Sequence[LockedFile] = ()) -> None:
        self.unaccepted: asyncssh.SSHKey | None = None
        self.asks_for_password = False
        self.asked = False
        self._locked = locked
        self._login = login
        self._interview = interview
        self._unoffered = [file for file in locked if file.public is None]
        self._said: tuple[str, ...] = ()
        self._password: str | None = None
        self._tries = 0
        self._rounds = 0

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        """Refuse a key that known_hosts does not hold."""
        self.unaccepted = key
        return False

    def validate_host_ca_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        """Refuse a certificate of an authority that known_hosts does not hold."""
        self.unaccepted = key
        return False

    def locked_pairs(self) -> list[LockedPair]:
        """What the locked keys offer whose public half is known: certificates, and the keys themselves."""
        if not self._interview.is_open:
            return []
        return [
            LockedPair(file.public, certificate, partial(self._unlock, file))
            for file in self._locked
            if file.public is not None
            for certificate in dict.fromkeys((file.certificate, None))
        ]

    async def public_key_auth_requested(self) -> asyncssh.SSHKeyPair | None:
        """The next of the keys that can't even be offered before they are unlocked."""
        while self._unoffered and self._interview.is_open:
            if key := await self._unlock(self._unoffered.pop(0)):
                return asyncssh.load_keypairs(key)[0]
        return None

    def auth_banner_received(self, msg: str, lang: str) -> None:
        """Keep what the server prints before the login, to be shown with its questions."""
        self._said = plain_lines(msg)

    async def password_auth_requested(self) -> str | None:
        """The password, asked for up to three times."""
        self.asks_for_password = True
        return await self._give_password(f"password of {self._login}")

    def kbdint_auth_requested(self) -> str | None:
        """Agree to be asked, up to three times, where there is somebody to ask."""
        self.asks_for_password = True
        self._rounds += 1
        return "" if self._interview.is_open and self._rounds <= TRIES else None

    async def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: Sequence[tuple[str, bool]]
    ) -> list[str] | None:
        """The answers to all prompts, in their order; None where one is not given."""
        self._said = plain_lines(f"{name}\n{instructions}") or self._said
        answers = []
        for prompt, is_echoed in prompts:
            answer = await self._answer(prompt, is_secret=not is_echoed)
            if answer is None:
                return None
            answers.append(answer)
        return answers

    def forget_password(self) -> None:
        """Keep the password that was given last no longer: the login has failed."""
        if self._password is not None:
            self._interview.forget(self._password_name, self._password)
            self._password = None

    @property
    def _password_name(self) -> str:
        return f"password of {self._login}"

    async def _ask(self, question: Question, keep_as: str | None = None) -> str | None:
        self.asked |= self._interview.is_open
        return await self._interview.ask(question, keep_as)

    async def _unlock(self, file: LockedFile) -> asyncssh.SSHKey | None:
        """The private key, after up to three tries at its passphrase."""
        text = f"passphrase of the key {plain(str(file.path))}"
        said: tuple[str, ...] = ()
        for _ in range(TRIES):
            question = Question("passphrase", self._login, text, said=said)
            passphrase = await self._ask(question, keep_as=text)
            if passphrase is None:
                return None
            if key := await try_passphrase(file.path, passphrase):
                return key
            self._interview.forget(text, passphrase)
            said = _NOT_ACCEPTED
        return None

    async def _answer(self, prompt: str, *, is_secret: bool) -> str | None:
        if is_secret and _PASSWORD.fullmatch(prompt):
            return await self._give_password(plain(prompt))
        text = plain(prompt).rstrip(": ") or "answer"
        return await self._ask(Question("code", self._login, text, is_secret, self._said))

    async def _give_password(self, text: str) -> str | None:
        """A kept password or a new one; being asked once more means that the last one was wrong."""
        is_wrong = self._password is not None
        self.forget_password()
        if self._tries >= TRIES:
            return None
        self._tries += 1
        said = (*self._said, *(_NOT_ACCEPTED if is_wrong else ()))
        question = Question("password", self._login, text.rstrip(": "), said=said)
        self._password = await self._ask(question, keep_as=self._password_name)
        return self._password
