// Properties of the JSONL reader over generated files, and its slow twin.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "jsonl_testing.hpp"
#include "support/pick.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript {
namespace {

using jsonl_testing::Reading;
using jsonl_testing::Seen;
using jsonl_testing::TempFile;
using Json = nlohmann::json;

// Creating a file is what takes the time here.
const TempFile& shared_file() {
  static const TempFile file;
  return file;
}

std::string any_text() {
  static const std::vector<std::string> kPieces = {
      "a",      "é", "\"", "\\", "\n", "\x7F",   "{", "}",     "😀",   "[",
      "\u2028", "/", ": ", ",",  "\t", "\u0001", "",  "word ", "日本"};
  std::string text;
  for (std::size_t n = pick(8); n > 0; --n) text += kPieces[pick(kPieces.size())];
  return text;
}

Json any_value(int depth) {
  switch (pick(depth > 3 ? 4 : 6)) {
    case 0:
      return any_text();
    case 1:
      return *rc::gen::inRange(-1000, 1000);
    case 2:
      return *rc::gen::arbitrary<bool>();
    case 3:
      return nullptr;
    case 4: {
      Json array = Json::array();
      for (std::size_t n = pick(4); n > 0; --n) array.push_back(any_value(depth + 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (std::size_t n = pick(4); n > 0; --n) object[any_text()] = any_value(depth + 1);
      return object;
    }
  }
}

std::string any_object() {
  Json object = Json::object();
  for (std::size_t n = pick(5); n > 0; --n) object[any_text()] = any_value(1);
  return object.dump(-1, ' ', *rc::gen::arbitrary<bool>());
}

// A line as files hold them, good or bad, with its end.
std::string any_line() {
  using namespace std::string_literals;
  static const std::vector<std::string> kBad = {"{\"a\":\"\xFF\xC3\"}",
                                                "{\"a\":\"\\ud800 \\udc00\"}",
                                                "{\"a\":\"\0\x01\"}"s,
                                                "\0\0\0{\"a\":1}\0"s,
                                                "{\"torn\":[1,{\"b\":\"",
                                                "null",
                                                "\"text\"",
                                                "junk",
                                                "}",
                                                "{\"a\":}",
                                                "{\"a\":1}}",
                                                "{\"a\":1},{\"b\":2}",
                                                "{\"a\":1} \"b\":{\"c\":1}",
                                                "{\"a\":1}{\"b\":\"\xFF\"}{\"c\":\"\xFF\"}",
                                                "{\"a\":1}{{\"b\":2}",
                                                "{\"a\":1}\\{\"b\":2}",
                                                "[{\"a\":1}]",
                                                "{\"a\":[1}",
                                                "\xEF\xBB\xBF{}",
                                                "{\"a\":nul}{\"b\":1}"};
  std::string line;
  switch (pick(6)) {
    case 0:
      line = kBad[pick(kBad.size())];
      break;
    case 1:
      line = any_object() + any_object();
      break;
    case 2:
      line.append(" ").append(any_object()).append("\t");
      break;
    case 3:
      break;
    default:
      line = any_object();
  }
  return line + (pick(4) == 0 ? "\r\n" : "\n");
}

std::string any_file() {
  std::string text;
  for (std::size_t n = pick(8); n > 0; --n) text += any_line();
  if (!text.empty() && pick(3) == 0) text.resize(text.size() - 1 - pick(text.size()));
  return text;
}

RC_GTEST_PROP(JsonlProperty, AnySplitOfAppendsIsReadLikeTheWhole, ()) {
  const std::string text = any_file();
  const TempFile& file = shared_file();
  file.write(text);
  Reading whole;
  RC_ASSERT(whole.read_on(file.path()));

  Reading pieces;
  file.write("");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = 1 + pick(std::min<std::size_t>(text.size() - at, 40));
    file.append(text.substr(at, size));
    at += size;
    if (!pieces.cursor.empty()) {
      RC_ASSERT(jsonl_resumable(file.path(), pieces.cursor).value_or(false));
    }
    RC_ASSERT(pieces.read_on(file.path(), {pick(60)}));
  }
  RC_LOG() << Json(text).dump(1, ' ', true, Json::error_handler_t::replace) << '\n';
  RC_ASSERT(pieces.seen == whole.seen);
  RC_ASSERT(pieces.problems == whole.problems);
  RC_ASSERT(pieces.cursor == whole.cursor);
  RC_ASSERT(pieces.bytes_read == whole.bytes_read);
}

RC_GTEST_PROP(JsonlProperty, ADamagedByteCostsAtMostTheRecordsOfItsLine, ()) {
  std::vector<std::string> lines;
  for (std::size_t n = 2 + pick(5); n > 0; --n) lines.push_back(any_object());
  std::string text;
  std::vector<std::size_t> starts;
  for (const std::string& line : lines) {
    starts.push_back(text.size());
    text += line + '\n';
  }
  const TempFile& file = shared_file();
  file.write(text);
  Reading good;
  RC_ASSERT(good.read_on(file.path()));
  RC_ASSERT(good.seen.size() == lines.size());

  const std::size_t damaged = pick(lines.size());
  const std::size_t at = starts[damaged] + pick(lines[damaged].size());
  text[at] = static_cast<char>(pick(256));
  file.write(text);
  Reading bad;
  RC_ASSERT(bad.read_on(file.path()));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == damaged) continue;
    // By its offset: the line has another number when the damage is a newline.
    const auto found = std::find_if(bad.seen.begin(), bad.seen.end(), [&](const Seen& seen) {
      return seen.offset == good.seen[i].offset;
    });
    RC_ASSERT(found != bad.seen.end());
    RC_ASSERT(found->text == good.seen[i].text);
  }
}

// --- the slow twin -------------------------------------------------------------------------------

void write_out(const Json& value, std::string& out) {
  switch (value.type()) {
    case Json::value_t::string:
      out.append("'").append(value.get<std::string>()).append("'");
      return;
    case Json::value_t::array:
      out += '[';
      for (const Json& child : value) {
        write_out(child, out);
        out += ',';
      }
      out += ']';
      return;
    case Json::value_t::object:
      out += '{';
      for (const auto& [key, child] : value.items()) {
        out.append(key).append("=");
        write_out(child, out);
        out += ',';
      }
      out += '}';
      return;
    case Json::value_t::boolean:
      out += value.get<bool>() ? "true" : "false";
      return;
    case Json::value_t::null:
      out += "null";
      return;
    default:
      out += std::to_string(value.get<double>());
  }
}

std::vector<Seen> read_slowly(const std::string& text) {
  std::vector<Seen> seen;
  std::istringstream in(text);
  std::uint64_t offset = 0;
  std::uint64_t number = 0;
  for (std::string line; std::getline(in, line); offset += line.size() + 1) {
    ++number;
    std::string out;
    const Json object = Json::parse(line);
    for (const auto& [key, child] : object.items()) {
      out.append(key).append("=");
      write_out(child, out);
      out += ',';
    }
    seen.push_back({offset, number, out});
  }
  return seen;
}

RC_GTEST_PROP(JsonlProperty, WellFormedFilesAreReadLikeByTheSlowTwin, ()) {
  std::string text;
  for (std::size_t n = pick(10); n > 0; --n) text += any_object() + '\n';
  const TempFile& file = shared_file();
  file.write(text);
  Reading reading;
  RC_ASSERT(reading.read_on(file.path()));
  RC_ASSERT(reading.seen == read_slowly(text));
  RC_ASSERT(reading.problems.empty());
}

TEST(JsonlTwin, AgreesOnAFileOfManyWindows) {
  std::string text;
  std::size_t size = 1;
  while (text.size() < (8U << 20)) {
    size = size * 7919 % 300'007;  // lines of all sizes, in no order
    text += "{\"n\":" + std::to_string(size) + ",\"s\":\"" + std::string(size, 'x') + "\\n\"}\n";
  }
  text += "{\"s\":\"" + std::string(3'000'000, 'y') + "\"}\n{\"last\":true}\n";
  const TempFile& file = shared_file();
  file.write(text);
  const std::vector<Seen> expected = read_slowly(text);
  Reading whole;
  ASSERT_TRUE(whole.read_on(file.path()));
  EXPECT_TRUE(whole.seen == expected);
  EXPECT_EQ(whole.bytes_read, text.size());
  Reading pieces;
  ASSERT_TRUE(pieces.read_on(file.path(), {1'000'000}));
  EXPECT_TRUE(pieces.seen == expected);
  EXPECT_EQ(pieces.cursor, whole.cursor);
}

}  // namespace
}  // namespace yore::transcript
