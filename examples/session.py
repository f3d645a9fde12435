# %% [markdown]
# A session with yore as one would have it in a notebook: three conversations that live in memory, a
# look at them, a question, and the turns taken along.

# %%
import datetime
import tempfile

import yore

folder = tempfile.TemporaryDirectory()


# %% Any store can be searched: it lists its conversations and reads one when asked.
class Notebook:
    pages = {
        "monday": [("The checkout times out.", "The pool of connections was too small.")],
        "tuesday": [("Add a retry to the mailer.", "It retries three times, then gives up.")],
        "friday": [
            ("Why is the pool so small?", "Somebody tested with two connections."),
            ("Make it twenty.", "The pool holds twenty connections now."),
        ],
    }

    def sessions(self):
        for number, (id, turns) in enumerate(self.pages.items()):
            yield yore.SourceSession(id, project="shop", version=str(len(turns)))

    def read(self, id):
        day = list(self.pages).index(id) + 1
        for asked, concluded in self.pages[id]:
            yield yore.SourceTurn(
                asked,
                ["Let me have a look.", concluded],
                time=datetime.datetime(2026, 3, day, 9, tzinfo=datetime.timezone.utc),
                model="thinker-2",
                tokens=yore.Tokens(input=1200, output=len(concluded)),
            )


# %%
corpus = yore.Corpus(data_dir=folder.name, source=Notebook())
corpus.refresh()

# %% What is there?
for session in corpus.list().sessions:
    print(f"{session.last_time:%d %b}  {session.id:8} {session.turn_count} {session.title}")

# %% What did we conclude about the pool, and where was it spoken of?
answer = corpus.search("connection pool", by="words", surfaces=["assistant_summary"], facets=True)
best = answer.hits[0]
print(f"\n{best.user_prompt} -> {best.assistant_summary}")
print(f"{answer.facets.matched} turns:", *(f"{bar.first} {bar.count}" for bar in answer.facets.histogram))

# %% Take along what is new since the second day. Nothing is read before it is asked for.
since = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
print()
for turn in corpus.turns(since=since):
    print(turn.metadata.session_id, turn.metadata.turn_number, turn.assistant_summary)

# %% Errors are exceptions, and say what to do.
try:
    corpus.read("sunday")
except yore.NotFoundError as error:
    print(f"\n{error}")

# %%
folder.cleanup()
