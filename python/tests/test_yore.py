"""The Python module: values, scopes, errors, laziness, threads."""

import datetime
import inspect
import pathlib
import threading

import pytest
import yore

UTC = datetime.timezone.utc


def day(number):
    return datetime.datetime(2026, 1, number, 12, tzinfo=UTC)


class Notebook:
    """Conversations in memory; what was read is written down."""

    def __init__(self, pages):
        self.pages = pages
        self.reads = []

    def sessions(self):
        for id, turns in self.pages.items():
            yield yore.SourceSession(id, project=id.split("-")[0], version=str(len(turns)))

    def read(self, id):
        self.reads.append(id)
        return self.pages[id]


def turn(asked, *answers, at=1, **more):
    return yore.SourceTurn(asked, list(answers), time=day(at), **more)


@pytest.fixture
def notebook():
    return Notebook({
        "shop-1": [turn("the kettle leaks", "looking", "a gasket broke", at=1, branch="main",
                        model="m1", tokens=yore.Tokens(10, 20, 30, 40),
                        tools=[yore.SourceTool("Bash", "make test")])],
        "shop-2": [turn(f"kettle {n}", f"done {n}", at=2) for n in range(40)],
        "blog-1": [turn("write about tea", "tea is done", at=3)],
    })


@pytest.fixture
def corpus(notebook, tmp_path):
    corpus = yore.Corpus(data_dir=str(tmp_path / "data"), source=notebook)
    assert corpus.refresh().sessions_read == 3
    return corpus


def test_a_walk_gives_every_turn_newest_session_first(corpus):
    walked = list(corpus.turns())
    assert len(walked) == 42
    assert walked[0].metadata.session_id == "blog-1"
    assert [t.metadata.turn_number for t in walked[1:41]] == list(range(40))
    assert len({t.id for t in walked}) == 42


def test_a_turn_carries_all_that_is_known_of_it(corpus):
    found = next(t for t in corpus.turns(include_full=True) if t.metadata.session_id == "shop-1")
    assert found.user_prompt == "the kettle leaks"
    assert found.assistant_summary == "a gasket broke"
    assert found.assistant_full == "looking\na gasket broke"
    assert len(found.id) == 12 and len(found.content_hash) == 16
    known = found.metadata
    assert (known.project, known.branch, known.model) == ("shop", "main", "m1")
    assert known.time == day(1) and known.time.tzinfo is not None
    assert known.has_tool_use and known.tokens == yore.Tokens(10, 20, 30, 40)
    other = next(corpus.turns(projects=["blog"]))
    assert other.metadata.tokens is None and not other.metadata.has_tool_use


def test_scopes_narrow(corpus):
    assert {t.metadata.project for t in corpus.turns(projects=["shop"])} == {"shop"}
    assert len(list(corpus.turns(max_sessions=1))) == 1
    assert len(list(corpus.turns(since=day(3)))) == 1
    assert len(list(corpus.turns(until=day(2)))) == 1
    assert list(corpus.turns(agents=["nobody"])) == []


def test_nothing_is_read_before_it_is_asked_for(corpus, notebook):
    walk = corpus.turns()
    notebook.pages["blog-1"] = [turn("rewritten", "since"), turn("twice", "yes")]
    corpus.refresh()
    assert next(walk).user_prompt == "rewritten"


def test_search_list_and_read(corpus):
    found = corpus.search("kettle", surfaces=["user_prompt"], by="words", limit=3)
    assert len(found.hits) == 3 and found.more
    assert all("kettle" in hit.user_prompt for hit in found.hits)
    begin, end = found.hits[0].matches[0]
    assert found.hits[0].snippet.encode()[begin:end] == b"kettle"
    assert [s.id for s in corpus.list(limit=2).sessions] == ["blog-1", "shop-2"]
    read = corpus.read("shop-2", offset=38)
    assert read.total_turns == 40
    assert [t.user_text for t in read.turns] == ["kettle 38", "kettle 39"]


def test_facets_count_all_that_matches(corpus):
    facets = corpus.search("kettle", by="words", limit=1, facets=True).facets
    assert facets.matched == 41
    assert [(each.value, each.count) for each in facets.projects] == [("shop", 41)]
    assert sum(bar.count for bar in facets.histogram) == 41
    assert corpus.search("kettle").facets is None


def test_errors_are_exceptions_of_the_module(corpus, tmp_path):
    with pytest.raises(yore.NotFoundError) as unknown:
        corpus.read("nobody")
    assert str(unknown.value) == "Unknown session_id: nobody"
    with pytest.raises(yore.AmbiguousError) as several:
        corpus.read("shop")
    assert "shop-1" in several.value.hint
    with pytest.raises(ValueError):
        corpus.search("kettle", surfaces=["user_promt"])
    with pytest.raises(yore.InvalidArgumentError):
        corpus.search("kettle", by="luck")
    with pytest.raises(TypeError):
        corpus.search("kettle", limits=3)
    with pytest.raises(yore.NotFoundError):
        yore.Corpus(data_dir=str(tmp_path / "new"), source=Notebook({})).search("x")
    with pytest.raises(yore.Error):
        yore.Corpus(data_dir=str(tmp_path / "new"), source=object())
    assert issubclass(yore.BusyError, yore.Error)


def test_what_a_source_raises_becomes_an_error_and_costs_nothing(corpus, notebook):
    notebook.pages["shop-2"].append(turn("kettle, once more", "ok"))

    def flooded(id):
        raise RuntimeError("the cellar is flooded")

    notebook.read = flooded
    report = corpus.refresh()
    assert report.sessions_behind == 1 and "flooded" in report.notes[0]
    notebook.sessions = lambda: flooded("all")
    with pytest.raises(yore.StorageError, match="flooded"):
        corpus.refresh()
    assert len(list(corpus.turns())) == 42


def test_threads_search_while_another_refreshes(corpus, notebook):
    stop = threading.Event()
    counts = []

    def search():
        while not stop.is_set():
            counts.append(len(corpus.search("kettle", by="words").hits))

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(5):
        notebook.pages["blog-1"].append(turn(f"more {n}", "yes", at=4))
        corpus.refresh()
    stop.set()
    for thread in threads:
        thread.join()
    assert counts and min(counts) > 0


def test_turns_with_a_fetcher_of_ones_own(notebook):
    walked = list(yore.turns(fetcher=notebook, projects=["shop"], max_sessions=1))
    assert len(walked) == 40 and walked[0].assistant_full == ""
    assert notebook.reads.count("shop-2") == 1


def test_secrets_are_masked(tmp_path):
    token = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b"
    source = Notebook({"vault-1": [turn("use " + token, "done")]})
    assert token not in next(yore.turns(fetcher=source)).user_prompt
    plain = yore.Corpus(data_dir=str(tmp_path), source=source, mask_secrets=False)
    plain.refresh()
    assert next(plain.turns()).user_prompt == "use " + token


def test_every_name_is_documented_and_in_the_stub():
    stub = pathlib.Path(yore.__file__).with_name("_yore.pyi").read_text()
    compiled = {name for name in vars(yore._yore) if not name.startswith("_")}
    assert set(yore.__all__) == compiled | {"TranscriptSource", "turns"}
    for name in yore.__all__:
        thing = getattr(yore, name)
        assert inspect.getdoc(thing), name
        if name in ("TranscriptSource", "turns"):
            continue
        assert f"class {name}" in stub, name
        for field in vars(thing):
            if not field.startswith("_"):
                assert f"def {field}(" in stub or f"    {field}:" in stub, f"{name}.{field}"
    assert pathlib.Path(yore.__file__).with_name("py.typed").exists()
