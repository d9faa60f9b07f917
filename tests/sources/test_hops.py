"""Each kind of container is entered by its own command."""

from __future__ import annotations

import pytest

from tui.events import LinkState
from tui.sources.hops import PREFIXES, through
from tui.sources.trouble import Trouble
from tui.target import HOP_KINDS, Hop, Target, parse_target


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("docker/web:/x", "docker exec -i web"),
        ("podman/web:/x", "podman exec -i web"),
        ("pct/200:/x", "pct exec 200 --"),
        ("lxc/web:/x", "lxc-attach -n web --"),
        ("incus/web:/x", "incus exec -T web --"),
        ("kubectl/pod:/x", "kubectl exec -i pod --"),
        ("kubectl/ml/pod:/x", "kubectl exec -i -n ml pod --"),
        ("kubectl/ml/pod/box:/x", "kubectl exec -i -n ml pod -c box --"),
        ("pct/200:docker/web:/x", "pct exec 200 -- docker exec -i web"),
    ],
)
def test_a_hop_runs_a_command_in_its_container(address: str, words: str) -> None:
    assert through(parse_target(address), ["sh", "-c", "it's"]) == [*words.split(), "sh", "-c", "it's"]


def test_prefixes_stand_before_the_hops_in_their_order() -> None:
    target = parse_target("host:docker/web:/x", ("srun --jobid=42", "sudo -n"))
    assert through(target, ["sh"]) == [
        "srun",
        "--jobid=42",
        "sudo",
        "-n",
        "docker",
        "exec",
        "-i",
        "web",
        "sh",
    ]


def test_every_kind_of_the_grammar_but_a_terminal_has_its_command() -> None:
    assert set(PREFIXES) == set(HOP_KINDS) - {"tmux"}


@pytest.mark.parametrize(
    "hop", [Hop("docker", ("--privileged",)), Hop("kubectl", ("ml", "-x")), Hop("tmux", ("train",))]
)
def test_what_can_not_be_entered_is_told_once(hop: Hop) -> None:
    with pytest.raises(Trouble) as caught:
        through(Target("it", "/x", hops=(hop,)), ["sh"])
    assert caught.value.state is LinkState.MISSING
    assert caught.value.is_final
