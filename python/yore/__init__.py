"""What was asked and concluded in past conversations with coding agents.

    import yore

    corpus = yore.Corpus(projects=["shop"])        # every agent's transcripts on this machine
    corpus.refresh()
    for hit in corpus.search("why does the checkout time out").hits:
        print(hit.project, hit.assistant_summary)
    for turn in corpus.turns(since=last_week):      # nothing is read before it is asked for
        index(turn.id, turn.content_hash, turn.assistant_summary)

Names and meanings are those of the C++ library (include/yore/yore.hpp). What fails is raised as
`yore.Error` or what is derived from it; its text is one sentence, its `hint` says what to do. Times
are datetimes with a zone; one without a zone that you pass is local. All of a Corpus may be used
from any number of threads at once; searches run without the interpreter's lock.
"""

from __future__ import annotations

import contextlib
import datetime
import tempfile
from typing import Iterable, Iterator, Optional, Protocol, Sequence, runtime_checkable

from . import _yore
from ._yore import *  # noqa: F403  (all of its names are ours)

__version__ = "0.1.0"


@runtime_checkable
class TranscriptSource(Protocol):
    """A store of conversations that yore knows nothing about.

    Both are called by refresh(), one at a time, from the thread that calls it. A session that is no
    longer listed is removed; one whose version is what it was is not read again. What they raise
    becomes an error or, of read(), a note in the report.
    """

    def sessions(self) -> Iterable[_yore.SourceSession]:
        """All conversations that there are."""

    def read(self, id: str) -> Iterable[_yore.SourceTurn]:
        """All turns of one of them, in order."""


def turns(
    *,
    since: Optional[datetime.datetime] = None,
    projects: Sequence[str] = (),
    agents: Sequence[str] = (),
    max_sessions: int = 0,
    include_full: bool = False,
    fetcher: Optional[TranscriptSource] = None,
    data_dir: str = "",
) -> Iterator[_yore.TurnRecord]:
    """Turn after turn, newest session first, of all agents on this machine.

    Brings the index up to date first. With a `fetcher` the turns are those of that source alone; its
    index lies in `data_dir`, or, without one, in a folder that is removed with the iterator.
    """
    with contextlib.ExitStack() as stack:
        if fetcher is not None and not data_dir:
            data_dir = stack.enter_context(tempfile.TemporaryDirectory(prefix="yore-"))
        corpus = _yore.Corpus(data_dir=data_dir, source=fetcher)
        corpus.refresh()
        yield from corpus.turns(
            since=since,
            projects=list(projects),
            agents=list(agents),
            max_sessions=max_sessions,
            include_full=include_full,
        )


__all__ = [
    "AmbiguousError",
    "BusyError",
    "CancelledError",
    "Conversation",
    "Corpus",
    "CorruptError",
    "Coverage",
    "Error",
    "FacetValue",
    "Facets",
    "HistogramBar",
    "InvalidArgumentError",
    "NotFoundError",
    "RefreshReport",
    "SearchHit",
    "SearchResults",
    "SessionInfo",
    "SessionList",
    "SourceSession",
    "SourceTool",
    "SourceTurn",
    "StorageError",
    "Tokens",
    "TranscriptSource",
    "Turn",
    "TurnMetadata",
    "TurnRecord",
    "TurnWalk",
    "UnsupportedError",
    "turns",
]
