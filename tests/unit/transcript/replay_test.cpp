#include "transcript/stores/replay.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/input/json_scan.hpp"

namespace yore::transcript {
namespace {

using nlohmann::json;

// --- ReplaySink --------------------------------------------------------------------------------

// Keeps what it hears as one line a call.
class Notes final : public RecordSink {
 public:
  std::vector<std::string> lines;
  void record(const Record& record) override {
    std::string line = "record " + std::string(record.key);
    for (const Block& block : record.blocks) line += " " + std::string(block.text);
    lines.push_back(std::move(line));
  }
  void problem(ProblemKind kind, std::uint64_t at) override {
    lines.push_back("problem " + std::string(problem_name(kind)) + " " + std::to_string(at));
  }
  void unknown(std::string_view what) override { lines.push_back("unknown " + std::string(what)); }
};

using Words = std::vector<std::string>;

// Tells the sink each word, in one of the three ways. True: the sink was full.
bool tell(const Words& words, ReplaySink& sink) {
  for (const std::string& word : words) {
    if (sink.full()) return true;
    if (word.starts_with('?')) {
      sink.unknown(word);
    } else if (word.starts_with('!')) {
      sink.problem(ProblemKind::invalid_json, word.size());
    } else {
      Block block;
      block.text = word;
      Record record;
      record.kind = RecordKind::assistant;
      record.blocks = {&block, 1};
      sink.record(record);
    }
    sink.consumed(10);
  }
  return false;
}

Words whole(const Words& words) {
  Notes notes;
  ReplaySink sink(notes, {}, {});
  tell(words, sink);
  return notes.lines;
}

bool fits(const Words& words, const Cursor& cursor) {
  ReplaySink sink(cursor);
  tell(words, sink);
  return sink.fits();
}

rc::Gen<Words> some_words() {
  return rc::gen::container<Words>(rc::gen::element<std::string>("a", "b", "ab", "", "?x", "!y"));
}

RC_GTEST_PROP(ReplaySink, HandsOnTheSameInAnySteps, ()) {
  const Words words = *some_words();
  const auto limit = *rc::gen::inRange<std::uint64_t>(1, 50);
  Notes notes;
  Cursor cursor;
  std::uint64_t bytes = 0;
  for (bool more = true; more;) {
    ReplaySink sink(notes, cursor, {limit});
    more = tell(words, sink);
    const auto step = sink.step("file", more);
    RC_ASSERT(step.ok());
    RC_ASSERT(!more || step->cursor != cursor);
    cursor = step->cursor;
    bytes += step->bytes_read;
  }
  RC_ASSERT(notes.lines == whole(words));
  RC_ASSERT(bytes == words.size() * 10);
}

RC_GTEST_PROP(ReplaySink, GoesOnExactlyWhereTheBeginningIsTheSame, ()) {
  const Words before = *some_words();
  const Words after = *some_words();
  Notes notes;
  ReplaySink first(notes, {}, {});
  tell(before, first);
  const Cursor cursor = first.step("file", false)->cursor;
  const Words said = whole(before);
  const Words says = whole(after);
  const bool begins =
      says.size() >= said.size() && std::equal(said.begin(), said.end(), says.begin());
  RC_ASSERT(fits(after, cursor) == begins);

  Notes rest;
  ReplaySink second(rest, cursor, {});
  tell(after, second);
  RC_ASSERT(second.step("file", false).ok() == begins);
  if (begins) notes.lines.insert(notes.lines.end(), rest.lines.begin(), rest.lines.end());
  RC_ASSERT((begins ? notes.lines == says : rest.lines.empty()));
}

RC_GTEST_PROP(ReplaySink, DoesNotTakeOtherBytesForACursor, (const std::string& bytes)) {
  RC_PRE(!bytes.empty());
  RC_ASSERT(!fits({"a", "b"}, bytes));
}

// --- json_pieces -------------------------------------------------------------------------------

json some_json(int depth) {
  const auto word = rc::gen::element<std::string>("a", "\"", "\\", "}", "[", "{\"a\":", "é\n", ",");
  switch (*rc::gen::inRange(0, depth == 0 ? 3 : 5)) {
    case 0:
      return *word;
    case 1:
      return *rc::gen::inRange(-5, 500);
    case 2:
      return *rc::gen::arbitrary<bool>();
    case 3: {
      json list = json::array();
      const int count = *rc::gen::inRange(0, 4);
      for (int i = 0; i < count; ++i) list.push_back(some_json(depth - 1));
      return list;
    }
    default: {
      json object = json::object();
      const int count = *rc::gen::inRange(0, 4);
      for (int i = 0; i < count; ++i) object[*word] = some_json(depth - 1);
      return object;
    }
  }
}

RC_GTEST_PROP(JsonPieces, AreTheFieldsAndElementsThatAParserFinds, ()) {
  json document = json::object();
  const int fields = *rc::gen::inRange(0, 5);
  for (int i = 0; i < fields; ++i) document["f" + std::to_string(i)] = some_json(3);
  document["list"] = json::array({some_json(2), some_json(2), 1.5, nullptr});
  const std::string text = document.dump(*rc::gen::element(-1, 2));

  json found = json::object();
  RC_ASSERT(each_raw_field(text, [&](std::string_view key, std::string_view value) {
    found[std::string(key)] = json::parse(value);
  }));
  RC_ASSERT(found == document);
  json items = json::array();
  RC_ASSERT(each_raw_item(document["list"].dump(2),
                          [&](std::string_view item) { items.push_back(json::parse(item)); }));
  RC_ASSERT(items == document["list"]);
}

RC_GTEST_PROP(JsonPieces, OfATextThatIsCutOffAreTheFirstOnes, ()) {
  const json document = json::array({some_json(2), some_json(2), some_json(2)});
  const std::string text = document.dump(*rc::gen::element(-1, 2));
  const auto size = *rc::gen::inRange<std::size_t>(0, text.size());
  std::size_t count = 0;
  RC_ASSERT(!each_raw_item(std::string_view(text).substr(0, size), [&](std::string_view item) {
    // A number at the end may be half a number.
    if (json::accept(item)) RC_ASSERT(json::parse(item) == document[count]);
    ++count;
  }));
  RC_ASSERT(count <= document.size());
}

RC_GTEST_PROP(JsonPieces, MayBeMadeOfAnyBytes, (const std::string& bytes)) {
  const auto inside = [&](std::string_view piece) {
    RC_ASSERT(piece.empty() || (piece.data() >= bytes.data() &&
                                piece.data() + piece.size() <= bytes.data() + bytes.size()));
  };
  each_raw_item(bytes, inside);
  each_raw_field(bytes, [&](std::string_view, std::string_view value) { inside(value); });
  const std::string list = "[" + bytes;
  std::size_t steps = 0;
  each_raw_item(list, [&](std::string_view) { ++steps; });
  RC_ASSERT(steps <= list.size());
}

// Byte by byte, as the grammar says it.
std::size_t slow_string_extent(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

RC_GTEST_PROP(JsonString, EndsWhereItsGrammarSays, ()) {
  const auto text = "\"" + *rc::gen::container<std::string>(rc::gen::element('\\', '"', 'a'));
  RC_ASSERT(json_string_extent(text) == slow_string_extent(text));
}

// --- SHA-256 -----------------------------------------------------------------------------------

TEST(Sha256, GivesTheHashesOfTheStandard) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace yore::transcript
