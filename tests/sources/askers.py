"""People for tests: they answer by a script."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from tui.sources.asking import Question


@dataclass
class Scripted:
    """Answers as the script says, in turn; at its end it refuses."""

    answers: list[str | None]
    asked: list[Question] = field(default_factory=list)

    async def ask(self, question: Question) -> str | None:
        self.asked.append(question)
        return self.answers.pop(0) if self.answers else None

    @property
    def kinds(self) -> list[str]:
        return [question.kind for question in self.asked]


class Slow(Scripted):
    """Answers when it is told to."""

    def __init__(self, answers: Sequence[str | None]) -> None:
        super().__init__([*answers])
        self.may_answer = asyncio.Event()

    async def ask(self, question: Question) -> str | None:
        answer = await super().ask(question)
        await self.may_answer.wait()
        return answer
