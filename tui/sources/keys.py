"""Which keys a login offers: the files that ssh_config names, or the usual ones, as far as they can be used."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

import asyncssh
from msgspec import Struct, field

_USUAL = [
    "~/.ssh/id_ed25519",
    "~/.ssh/id_ecdsa",
    "~/.ssh/id_rsa",
    "~/.ssh/id_ed25519_sk",
    "~/.ssh/id_ecdsa_sk",
]

_MAGIC = b"openssh-key-v1\0"


class LockedFile(Struct, frozen=True):
    """A private key that needs a passphrase first.

    Attributes:
        path: Where it is.
        public: Its public half, from the file beside it or its own unlocked part; None where there is none.
        certificate: The certificate for it, if there is one.
    """

    path: Path
    public: asyncssh.SSHKey | None
    certificate: asyncssh.SSHCertificate | None = None


class Keys(Struct):
    """The keys of one login.

    Attributes:
        offered: Keys that are ready to sign.
        identities: The public keys that the agent may use besides; None for all that it holds.
        locked: Keys that need a passphrase first.
    """

    offered: list[asyncssh.SSHKeyPair] = field(default_factory=list)
    identities: list[asyncssh.SSHKey] | None = None
    locked: list[LockedFile] = field(default_factory=list)


class Offer(list[asyncssh.SSHKeyPair]):
    """The keys that a login offers; true even where there are none, or asyncssh would offer keys of its own choice."""

    def __bool__(self) -> bool:
        return True


class LockedPair(asyncssh.SSHKeyPair):
    """A key that is offered as it is, and unlocked when the server has accepted it: nobody is asked in vain.

    Args:
        public: The public half.
        certificate: Offered in its place, where given.
        unlock: Gives the private half; None where the passphrase is refused.
    """

    _key_type = "locked"

    def __init__(
        self,
        public: asyncssh.SSHKey,
        certificate: asyncssh.SSHCertificate | None,
        unlock: Callable[[], Awaitable[asyncssh.SSHKey | None]],
    ) -> None:
        algorithms = public.sig_algorithms
        super().__init__(
            public.algorithm, public.algorithm, algorithms, algorithms, public.public_data, None, certificate
        )
        self._unlock = unlock

    async def sign_async(self, data: bytes) -> bytes:
        """Sign, after the passphrase was given.

        Raises:
            ValueError: It was not; the login goes on without this key.
        """
        key = await self._unlock()
        if key is None:
            raise ValueError("the passphrase was not given")
        return key.sign(data, self.sig_algorithm)


def find_keys(settings: asyncssh.SSHClientConnectionOptions) -> Keys:
    """The keys for a host. Like ssh it passes over files that are missing or that it can't read."""
    paths = [Path(name).expanduser() for name in names(settings, "IdentityFile") or _USUAL]
    certificates = [Path(name).expanduser() for name in names(settings, "CertificateFile")]
    keys = Keys(identities=_public_keys(paths) if settings.config.get("IdentitiesOnly") else None)
    for path in paths:
        _add(keys, path, [certificate for certificate in certificates if certificate.is_file()])
    return keys


def names(settings: asyncssh.SSHClientConnectionOptions, option: str) -> list[str]:
    """The file names that ssh_config gives for an option; none where it is silent."""
    return cast("list[str]", settings.config.get(option, []))


async def try_passphrase(path: Path, passphrase: str) -> asyncssh.SSHKey | None:
    """The private key of a file; None where the passphrase does not fit.

    Deriving the key from it takes a good part of a second, so a thread does it.
    """
    try:
        return await asyncio.to_thread(asyncssh.read_private_key, path, passphrase)
    except (OSError, ValueError):
        return None


def _add(keys: Keys, path: Path, certificates: Sequence[Path]) -> None:
    try:
        keys.offered += asyncssh.load_keypairs(path, None, [str(certificate) for certificate in certificates])
    except asyncssh.KeyImportError as error:
        if str(error).startswith("Passphrase"):
            keys.locked.append(_locked(path, certificates))
    except (OSError, ValueError):
        pass  # missing, or of a kind that needs what is not installed


def _locked(path: Path, certificates: Sequence[Path]) -> LockedFile:
    public = next(iter(_public_keys([path])), None) or _unlocked_part(path)
    for candidate in (path.with_name(f"{path.name}-cert.pub"), *certificates):
        with suppress(OSError, ValueError):
            certificate = asyncssh.read_certificate(candidate)
            if public is not None and certificate.key.public_data == public.public_data:
                return LockedFile(path, public, certificate)
    return LockedFile(path, public)


def _unlocked_part(path: Path) -> asyncssh.SSHKey | None:
    """The public half as OpenSSH's own format (PROTOCOL.key) keeps it in the private file, outside of the lock."""
    with suppress(OSError, ValueError, IndexError):
        lines = path.read_text("ascii").split("-----")[2]
        data = base64.b64decode(lines)
        if data.startswith(_MAGIC):
            at = len(_MAGIC)
            for _ in range(3):  # the cipher, the key derivation, its options
                at += 4 + int.from_bytes(data[at : at + 4], "big")
            at += 4  # the number of keys: one
            public = data[at + 4 :][: int.from_bytes(data[at : at + 4], "big")]
            kind = public[4:][: int.from_bytes(public[:4], "big")].decode("ascii")
            return asyncssh.import_public_key(f"{kind} {base64.b64encode(public).decode()}")
    return None


def _public_keys(paths: Sequence[Path]) -> list[asyncssh.SSHKey]:
    found = []
    for path in paths:
        for candidate in (path.with_name(f"{path.name}.pub"), path):
            with suppress(OSError, asyncssh.KeyImportError):
                found.append(asyncssh.read_public_key(candidate))
                break
    return found
