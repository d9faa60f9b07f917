"""The real servers, for the tests in this folder."""

from tests.real.fixtures import commands, lxc, podman, root_folder, sshd

__all__ = ["commands", "lxc", "podman", "root_folder", "sshd"]
