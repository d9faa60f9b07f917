"""The lists of containers are read as the tools print them, and a line that is no container is counted."""

import pytest

from tui.sources.listings import LISTERS, Container, Lister, merge
from tui.target import Hop

BY_KIND = {lister.kind: lister for lister in LISTERS}


def told(kind: str, output: str) -> list[tuple[str, str]]:
    return [(str(each.hop), each.state) for each in BY_KIND[kind].parse(output).containers]


def test_docker_names_what_runs() -> None:
    output = "3f2a1b9c0d4e trainer\n0123456789ab ml_eval-1.2\nfedcba987654 web,proxy/alias\n"
    assert told("docker", output) == [
        ("docker/trainer", "running"),
        ("docker/ml_eval-1.2", "running"),
        ("docker/web", "running"),
    ]


def test_podman_names_what_runs() -> None:
    assert told("podman", "56896ed7188f milepost-test-c807686c\n") == [
        ("podman/milepost-test-c807686c", "running")
    ]


def test_pct_tells_numbers_and_states_with_a_lock_and_a_name_or_without() -> None:
    output = (
        "VMID       Status     Lock         Name                \n"
        "200        running                 drafter             \n"
        "201        stopped    backup       old                 \n"
        "202        stopped                                     \n"
    )
    assert told("pct", output) == [("pct/200", "running"), ("pct/201", "stopped"), ("pct/202", "stopped")]


def test_lxc_ls_tells_names_and_states() -> None:
    assert told("lxc", "NAME STATE   \n200  RUNNING \nweb  STOPPED \nnap  FROZEN  \n") == [
        ("lxc/200", "running"),
        ("lxc/web", "stopped"),
        ("lxc/nap", "frozen"),
    ]


def test_incus_tells_names_and_states() -> None:
    assert told("incus", "trainer,RUNNING\nold,STOPPED\n") == [
        ("incus/trainer", "running"),
        ("incus/old", "stopped"),
    ]


def test_kubectl_tells_pods_with_their_namespaces() -> None:
    output = (
        "default       drafter-0                  Running\nkube-system   coredns-5d78c9869d-abcde   Pending\n"
    )
    assert told("kubectl", output) == [
        ("kubectl/default/drafter-0", "running"),
        ("kubectl/kube-system/coredns-5d78c9869d-abcde", "pending"),
    ]


@pytest.mark.parametrize("lister", LISTERS, ids=lambda lister: lister.command.split(" -")[0])
def test_an_empty_list_is_empty(lister: Lister) -> None:
    assert (lister.parse("").containers, lister.parse("\n \n").unread) == ((), 0)


@pytest.mark.parametrize("lister", LISTERS, ids=lambda lister: lister.command.split(" -")[0])
@pytest.mark.parametrize(
    "line",
    ["WARNING: config is from 2019", "-rf evil running", "\x1b[31mred\x1b[0m", "{", "a b c d e", "../x up"],
)
def test_a_line_that_is_no_container_is_counted(lister: Lister, line: str) -> None:
    listing = lister.parse(line + "\n")
    assert (listing.containers, listing.unread) == ((), 1)


def test_a_container_that_two_tools_list_is_named_once() -> None:
    by_docker = Container(Hop("docker", ("trainer",)), identity="3f2a1b9c0d4e")
    by_podman = Container(Hop("podman", ("trainer",)), identity="3f2a1b9c0d4e")
    another = Container(Hop("docker", ("trainer",)), identity="0123456789ab")
    pct, lxc = Container(Hop("pct", ("200",))), Container(Hop("lxc", ("200",)))
    pod = Container(Hop("kubectl", ("ml", "drafter-0")))
    assert merge([by_docker, another, by_podman, pct, lxc, pod, pod]) == [another, by_podman, pct, pod]
