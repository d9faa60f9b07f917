"""What a person reads on the screen of a running application."""

from textual.app import App
from textual.pilot import Pilot

from tests.waiting import eventually


def screen_text(app: App[None]) -> str:
    """All rows of the screen that is on top, as plain text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


async def reads(pilot: Pilot[None], *parts: str) -> str:
    """Wait until the screen holds every one of these texts, and return all of it.

    Raises:
        AssertionError: It did not come to; the screen is in the message.
    """
    try:
        await eventually(lambda: all(part in screen_text(pilot.app) for part in parts))
    except TimeoutError:
        missing = [part for part in parts if part not in screen_text(pilot.app)]
        raise AssertionError(f"not on the screen: {missing}\n{screen_text(pilot.app)}") from None
    return screen_text(pilot.app)
