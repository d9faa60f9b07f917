"""A place is named as it comes to mind, and each address that is made from it leads back there."""

from pathlib import Path

import pytest

from tui.errors import TargetError
from tui.find.places import parse_place
from tui.sources.listings import Container
from tui.target import Hop, parse_target

PLACES = {
    "": ("this machine", ""),
    "/runs": ("this machine", "/runs"),
    "~/runs": ("this machine", "~/runs"),
    "~": ("this machine", "~"),
    "gpu-box": ("gpu-box", ""),
    "gpu-box:": ("gpu-box", ""),
    "root@gpu-box": ("root@gpu-box", ""),
    "gpu-box:/runs": ("gpu-box", "/runs"),
    "gpu-box:~": ("gpu-box", "~"),
    "gpu-box:runs": ("gpu-box", "runs"),
    "gpu-box:/": ("gpu-box", "/"),
    "[fe80::1]": ("fe80::1", ""),
    "ssh://root@gpu-box:2222": ("root@gpu-box:2222", ""),
    "ssh://root@gpu-box:2222/": ("root@gpu-box:2222", ""),
    "ssh://gpu-box:2222/runs": ("gpu-box:2222", "/runs"),
    "ssh://gpu-box:2222/pct/200": ("gpu-box:2222 ▸ pct/200", ""),
    "ssh://gpu-box:2222/pct/200:/w": ("gpu-box:2222 ▸ pct/200", "/w"),
    "docker/trainer": ("docker/trainer", ""),
    "kubectl/ml/drafter-0": ("kubectl/ml/drafter-0", ""),
    "gpu-box:pct/200": ("gpu-box ▸ pct/200", ""),
    "gpu-box:pct/200:docker/x:/w": ("gpu-box ▸ pct/200 ▸ docker/x", "/w"),
}


@pytest.mark.parametrize("text", PLACES)
def test_a_place_is_a_machine_or_a_container_and_a_folder(text: str) -> None:
    place = parse_place(text)
    assert (place.name, place.target.path) == PLACES[text]


@pytest.mark.parametrize("text", PLACES)
def test_the_addresses_of_its_logs_lead_there(text: str) -> None:
    place = parse_place(text)
    target = parse_target(place.address_of("/a b/train.jsonl"))
    assert (target.host, target.hops, target.path) == (
        place.target.host,
        place.target.hops,
        "/a b/train.jsonl",
    )


@pytest.mark.parametrize("text", PLACES)
def test_the_addresses_of_the_logs_in_its_containers_lead_there(text: str) -> None:
    place = parse_place(text)
    within = place.within(Container(Hop("podman", ("p",))))
    target = parse_target(within.address_of("/train.jsonl"))
    assert (target.host, str(target.hops[-1]), target.path) == (place.target.host, "podman/p", "/train.jsonl")
    assert target.hops[:-1] == place.target.hops
    assert within.target.path == place.target.path


def test_a_folder_that_is_here_is_no_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs").mkdir()
    monkeypatch.chdir(tmp_path)
    place = parse_place("runs")
    assert (place.name, place.target.path) == ("this machine", "runs")
    assert place.address_of("runs/a:b.jsonl") == "./runs/a:b.jsonl"


@pytest.mark.parametrize("text", ["-", "gpu-box:tmux/train:"])
def test_what_holds_no_folders_is_no_place(text: str) -> None:
    with pytest.raises(TargetError, match="holds no folders"):
        parse_place(text)
