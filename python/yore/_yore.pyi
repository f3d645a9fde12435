"""The compiled half of yore; import its names from `yore`."""

import datetime
from typing import Iterator, List, Literal, Optional, Sequence, Tuple

from . import TranscriptSource

class Error(Exception):
    """What went wrong, in one sentence."""

    hint: str
    """What to do about it; "" where that is not known."""

class NotFoundError(Error):
    """What was named does not exist; or nothing is indexed yet."""

class AmbiguousError(Error):
    """The beginning of several ids; the hint lists them."""

class CorruptError(Error):
    """Bytes that cannot be what they claim to be."""

class StorageError(Error):
    """The operating system, or a source of one's own, refused."""

class InvalidArgumentError(Error, ValueError):
    """The caller's words are wrong."""

class UnsupportedError(Error):
    """A format that is not known, or a model that is absent."""

class BusyError(Error):
    """Another process keeps writing."""

class CancelledError(Error):
    """It was asked to stop."""

class Tokens:
    """What a model has read and written, as its agent counts it."""

    def __init__(
        self, input: int = 0, output: int = 0, cache_read: int = 0, cache_write: int = 0
    ) -> None: ...
    @property
    def input(self) -> int: ...
    @property
    def output(self) -> int: ...
    @property
    def cache_read(self) -> int: ...
    @property
    def cache_write(self) -> int: ...

class SourceTool:
    """A tool that the assistant used."""

    def __init__(self, name: str, input: str = "", file: str = "", output: str = "") -> None: ...
    name: str
    input: str
    """What of its input is worth finding: a command, a pattern, new text."""
    file: str
    output: str

class SourceTurn:
    """One message of the user and what the assistant made of it."""

    def __init__(
        self,
        user_prompt: str = "",
        assistant_text: Sequence[str] = (),
        *,
        thinking: str = "",
        tools: Sequence[SourceTool] = (),
        time: Optional[datetime.datetime] = None,
        model: str = "",
        branch: str = "",
        tokens: Optional[Tokens] = None,
    ) -> None: ...
    user_prompt: str
    assistant_text: List[str]
    """In order; the last piece is the conclusion."""
    thinking: str
    tools: List[SourceTool]
    time: Optional[datetime.datetime]
    """Without one, the turn has no age: `since` leaves it out."""
    model: str
    branch: str
    tokens: Optional[Tokens]
    """None: not known, which is not zero."""

class SourceSession:
    """What a source says of a conversation without reading it."""

    def __init__(
        self,
        id: str,
        *,
        project: str = "",
        project_path: str = "",
        title: str = "",
        agent: str = "library",
        version: str = "",
    ) -> None: ...
    id: str
    project: str
    project_path: str
    title: str
    agent: str
    version: str
    """Anything that differs when the content does. "": it is read at every refresh."""

class Coverage:
    """How much of what is there can be found."""

    @property
    def sessions_known(self) -> int: ...
    @property
    def sessions_indexed(self) -> int: ...
    @property
    def behind_bytes(self) -> int: ...
    @property
    def passages(self) -> int: ...
    @property
    def passages_embedded(self) -> int: ...

class RefreshReport:
    """What a refresh() has done."""

    @property
    def sessions_known(self) -> int: ...
    @property
    def sessions_read(self) -> int: ...
    @property
    def sessions_removed(self) -> int: ...
    @property
    def sessions_behind(self) -> int: ...
    @property
    def behind_bytes(self) -> int: ...
    @property
    def notes(self) -> List[str]: ...

class FacetValue:
    """How many turns share a value, which is what the filter of that name takes."""

    @property
    def value(self) -> str: ...
    @property
    def count(self) -> int: ...

class HistogramBar:
    """One bar of a histogram over time; days by this machine's clock, "2026-11-18"."""

    @property
    def first(self) -> str: ...
    @property
    def until(self) -> str:
        """The day on which the next one begins."""
    @property
    def count(self) -> int: ...

class Facets:
    """All that a search has found, counted: turns, one of each set of copies."""

    @property
    def matched(self) -> int: ...
    @property
    def agents(self) -> List[FacetValue]: ...
    @property
    def projects(self) -> List[FacetValue]: ...
    @property
    def branches(self) -> List[FacetValue]: ...
    @property
    def models(self) -> List[FacetValue]: ...
    @property
    def tools(self) -> List[FacetValue]: ...
    @property
    def types(self) -> List[FacetValue]: ...
    @property
    def times(self) -> List[FacetValue]: ...
    @property
    def machines(self) -> List[FacetValue]: ...
    @property
    def starred(self) -> int:
        """By themselves or by their session."""
    @property
    def histogram_unit(self) -> Literal["day", "week", "month", "year"]: ...
    @property
    def histogram(self) -> List[HistogramBar]: ...
    @property
    def undated(self) -> int: ...

class SearchHit:
    """A turn that was found."""

    @property
    def score(self) -> float:
        """Compares within one answer only."""
    @property
    def session_id(self) -> str: ...
    @property
    def turn_number(self) -> int: ...
    @property
    def chunk_id(self) -> str: ...
    @property
    def agent(self) -> str: ...
    @property
    def project(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def time(self) -> Optional[datetime.datetime]: ...
    @property
    def surfaces(self) -> List[str]:
        """That matched, best first."""
    @property
    def snippet(self) -> str: ...
    @property
    def matches(self) -> List[Tuple[int, int]]:
        """Bytes [begin, end) of the snippet in UTF-8."""
    @property
    def user_prompt(self) -> str: ...
    @property
    def assistant_summary(self) -> str: ...
    @property
    def assistant_full(self) -> str: ...
    @property
    def copies(self) -> int: ...
    @property
    def abandoned(self) -> bool: ...
    @property
    def source_missing(self) -> bool: ...
    @property
    def superseded(self) -> bool: ...

class SearchResults:
    """The answer of search(); one without hits is not an error."""

    @property
    def hits(self) -> List[SearchHit]: ...
    @property
    def closest(self) -> List[SearchHit]:
        """Without hits: what comes nearest, hardly to the point."""
    @property
    def more(self) -> bool: ...
    @property
    def hidden_subagents(self) -> int: ...
    @property
    def hidden_automated(self) -> int: ...
    @property
    def notes(self) -> List[str]: ...
    @property
    def facets(self) -> Optional[Facets]: ...
    @property
    def coverage(self) -> Coverage: ...

class SessionInfo:
    """What is known of a session without reading it."""

    @property
    def id(self) -> str: ...
    @property
    def parent_id(self) -> str: ...
    @property
    def agent(self) -> str: ...
    @property
    def project(self) -> str: ...
    @property
    def project_path(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def branch(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def first_time(self) -> Optional[datetime.datetime]: ...
    @property
    def last_time(self) -> Optional[datetime.datetime]: ...
    @property
    def turn_count(self) -> int: ...
    @property
    def source_missing(self) -> bool: ...

class SessionList:
    """A page of sessions, last active first."""

    @property
    def sessions(self) -> List[SessionInfo]: ...
    @property
    def more(self) -> bool: ...

class Turn:
    """A turn, to be read."""

    @property
    def number(self) -> int: ...
    @property
    def time(self) -> Optional[datetime.datetime]: ...
    @property
    def user_text(self) -> str: ...
    @property
    def assistant_text(self) -> str: ...
    @property
    def tools_used(self) -> List[str]:
        """A JSON object each: {"tool":"Read","file":"/x"}."""
    @property
    def abandoned(self) -> bool: ...

class Conversation:
    """A session, or the part of it that read() was asked for."""

    @property
    def session(self) -> SessionInfo: ...
    @property
    def total_turns(self) -> int: ...
    @property
    def turns(self) -> List[Turn]: ...

class TurnMetadata:
    """What is known of a turn beside its text."""

    @property
    def session_id(self) -> str: ...
    @property
    def turn_number(self) -> int: ...
    @property
    def parent_session_id(self) -> str: ...
    @property
    def agent(self) -> str: ...
    @property
    def project(self) -> str: ...
    @property
    def project_path(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def branch(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def time(self) -> Optional[datetime.datetime]: ...
    @property
    def last_time(self) -> Optional[datetime.datetime]: ...
    @property
    def has_tool_use(self) -> bool: ...
    @property
    def tokens(self) -> Optional[Tokens]:
        """None: the transcript does not say, which is not zero."""
    @property
    def origin(self) -> str:
        """Equal in every copy of the turn: forks, resumed sessions."""
    @property
    def abandoned(self) -> bool: ...
    @property
    def automated(self) -> bool: ...
    @property
    def superseded(self) -> bool: ...
    @property
    def source_missing(self) -> bool: ...

class TurnRecord:
    """A turn, to be taken along."""

    @property
    def id(self) -> str:
        """12 hex digits that name it for good, also on the command line."""
    @property
    def user_prompt(self) -> str: ...
    @property
    def assistant_summary(self) -> str: ...
    @property
    def assistant_full(self) -> str:
        """"" without include_full."""
    @property
    def metadata(self) -> TurnMetadata: ...
    @property
    def content_hash(self) -> str:
        """What was seen with the same id and hash need not be looked at again."""

class TurnWalk(Iterator[TurnRecord]):
    """An iterator over turns; nothing is read before it is asked for.

    Belongs to one thread at a time. Any number of them may go on at once.
    """

    def __iter__(self) -> "TurnWalk": ...
    def __next__(self) -> TurnRecord: ...

class Corpus:
    """All the transcripts that one scope lets through.

    The scope narrows what this corpus answers, never what is read and kept.
    """

    def __init__(
        self,
        *,
        data_dir: str = "",
        since: Optional[datetime.datetime] = None,
        projects: Sequence[str] = (),
        agents: Sequence[str] = (),
        max_sessions: int = 0,
        include_full: bool = False,
        mask_secrets: bool = True,
        sources: Sequence[str] = (),
        source: Optional[TranscriptSource] = None,
    ) -> None:
        """Reads no transcript; what was indexed before can be asked for at once."""
    def refresh(self) -> RefreshReport:
        """Reads what is new or has changed."""
    def embed(self, max_passages: Optional[int] = None) -> int:
        """Makes passages searchable by meaning, newest first; how many are left to do."""
    def search(
        self,
        text: str,
        *,
        surfaces: Sequence[str] = (),
        limit: int = 10,
        by: Literal["both", "words", "meaning"] = "both",
        projects: Sequence[str] = (),
        exclude_projects: Sequence[str] = (),
        agents: Sequence[str] = (),
        since: Optional[datetime.datetime] = None,
        until: Optional[datetime.datetime] = None,
        session: str = "",
        branch: str = "",
        model: str = "",
        file: str = "",
        tool: str = "",
        has_tool: bool = False,
        newest_first: bool = False,
        half_life_days: Optional[float] = 30,
        per_session: int = 3,
        include_subagents: bool = False,
        include_automated: bool = False,
        facets: bool = False,
    ) -> SearchResults:
        """Turns that match, best first."""
    def list(
        self,
        *,
        projects: Sequence[str] = (),
        agents: Sequence[str] = (),
        since: Optional[datetime.datetime] = None,
        until: Optional[datetime.datetime] = None,
        include_subagents: bool = False,
        include_automated: bool = False,
        limit: int = 50,
        offset: int = 0,
    ) -> SessionList:
        """Sessions, last active first."""
    def read(self, session_id: str, offset: int = 0, limit: int = 10) -> Conversation:
        """Turns of a session, by its id or the beginning of it."""
    def turns(
        self,
        *,
        since: Optional[datetime.datetime] = None,
        until: Optional[datetime.datetime] = None,
        projects: Sequence[str] = (),
        agents: Sequence[str] = (),
        max_sessions: int = 0,
        include_full: bool = False,
        include_subagents: bool = False,
        include_automated: bool = False,
        include_superseded: bool = False,
    ) -> TurnWalk:
        """All turns, newest session first, each session in its order."""
