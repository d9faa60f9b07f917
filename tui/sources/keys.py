"""Which keys a login offers: the files that ssh_config names, or the usual ones, as far as they can be used."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import asyncssh

_USUAL = [
    "~/.ssh/id_ed25519",
    "~/.ssh/id_ecdsa",
    "~/.ssh/id_rsa",
    "~/.ssh/id_ed25519_sk",
    "~/.ssh/id_ecdsa_sk",
]


@dataclass(slots=True)
class Keys:
    """The keys of one login.

    Attributes:
        offered: Keys that are ready to sign.
        identities: The public keys that the agent may use besides; None for all that it holds.
        locked: Files that need a passphrase first.
    """

    offered: list[asyncssh.SSHKeyPair] = field(default_factory=list)
    identities: list[asyncssh.SSHKey] | None = None
    locked: list[Path] = field(default_factory=list)


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


def _add(keys: Keys, path: Path, certificates: Sequence[Path]) -> None:
    try:
        keys.offered += asyncssh.load_keypairs(path, None, [str(certificate) for certificate in certificates])
    except asyncssh.KeyImportError as error:
        if str(error).startswith("Passphrase"):
            keys.locked.append(path)
    except (OSError, ValueError):
        pass  # missing, or of a kind that needs what is not installed


def _public_keys(paths: Sequence[Path]) -> list[asyncssh.SSHKey]:
    found = []
    for path in paths:
        for candidate in (path.with_name(f"{path.name}.pub"), path):
            with suppress(OSError, asyncssh.KeyImportError):
                found.append(asyncssh.read_public_key(candidate))
                break
    return found
