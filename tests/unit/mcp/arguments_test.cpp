#include "mcp/tools/arguments.hpp"

#include <gtest/gtest.h>

namespace yore::mcp {
namespace {

constexpr std::array<std::string_view, 3> kModes = {"keyword", "meaning", "both"};

// What one read complains of, or "".
template <typename Read>
std::string complaint(const Json& object, Read read) {
  Arguments args(object, {"query", "limit", "mode", "include_subagents"});
  read(args);
  return args.error().value_or("");
}

template <typename Read>
auto value(const Json& object, Read read) {
  Arguments args(object, {"query", "limit", "mode", "include_subagents"});
  auto got = read(args);
  EXPECT_EQ(args.error().value_or(""), "");
  return got;
}

const auto kLimit = [](Arguments& args) { return args.integer("limit", {1, 100}, 10); };
const auto kQuery = [](Arguments& args) { return args.required_text("query"); };
const auto kFlag = [](Arguments& args) { return args.flag("include_subagents", false); };
const auto kTexts = [](Arguments& args) { return args.texts("mode"); };
const auto kChoice = [](Arguments& args) { return args.choice("mode", kModes); };
const auto kChoices = [](Arguments& args) { return args.choices("mode", kModes); };
using Words = std::vector<std::string>;

TEST(Arguments, ReadIntegersHoweverModelsWriteThem) {
  EXPECT_EQ(value({{"limit", 5}}, kLimit), 5);
  EXPECT_EQ(value({{"limit", 5.0}}, kLimit), 5);
  EXPECT_EQ(value({{"limit", " 5 "}}, kLimit), 5);
  EXPECT_EQ(value({{"limit", nullptr}}, kLimit), 10);
  EXPECT_EQ(value(Json::object(), kLimit), 10);
}

TEST(Arguments, NameTheRangeAndWhatWasGiven) {
  EXPECT_EQ(complaint({{"limit", "many"}}, kLimit),
            R"(limit must be a whole number from 1 to 100, not "many".)");
  EXPECT_EQ(complaint({{"limit", 0}}, kLimit),
            "limit must be a whole number from 1 to 100, not 0.");
  EXPECT_EQ(complaint({{"limit", 101}}, kLimit),
            "limit must be a whole number from 1 to 100, not 101.");
  EXPECT_EQ(complaint({{"limit", 18446744073709551615U}}, kLimit),
            "limit must be a whole number from 1 to 100, not 18446744073709551615.");
  EXPECT_EQ(complaint({{"limit", "99999999999999999999"}}, kLimit),
            R"(limit must be a whole number from 1 to 100, not "99999999999999999999".)");
  EXPECT_EQ(complaint({{"limit", 1.5}}, kLimit),
            "limit must be a whole number from 1 to 100, not 1.5.");
  EXPECT_EQ(complaint({{"limit", 1e300}}, kLimit),
            "limit must be a whole number from 1 to 100, not 1e+300.");
  EXPECT_EQ(complaint({{"limit", true}}, kLimit),
            "limit must be a whole number from 1 to 100, not true.");
  EXPECT_EQ(complaint({{"limit", ""}}, kLimit),
            R"(limit must be a whole number from 1 to 100, not "".)");
  EXPECT_EQ(complaint({{"limit", Json::object()}}, kLimit),
            "limit must be a whole number from 1 to 100, not an object.");
  EXPECT_EQ(complaint({{"limit", Json::array({1})}}, kLimit),
            "limit must be a whole number from 1 to 100, not a list.");
}

TEST(Arguments, WantWhatIsRequired) {
  EXPECT_EQ(value({{"query", "a b"}}, kQuery), "a b");
  EXPECT_EQ(value({{"query", 404}}, kQuery), "404");
  EXPECT_EQ(complaint(Json::object(), kQuery), "query is required.");
  EXPECT_EQ(complaint({{"query", nullptr}}, kQuery), "query is required.");
  EXPECT_EQ(complaint({{"query", " \n"}}, kQuery), "query must not be empty.");
  EXPECT_EQ(complaint({{"query", {{"text", "x"}}}}, kQuery),
            "query must be a text, not an object.");
  EXPECT_EQ(complaint({{"query", false}}, kQuery), "query must be a text, not false.");
  const auto number = [](Arguments& args) { return args.required_integer("limit", {0, 9}); };
  EXPECT_EQ(value({{"limit", "7"}}, number), 7);
  EXPECT_EQ(complaint(Json::object(), number), "limit is required.");
}

TEST(Arguments, BoundTexts) {
  const auto read = [](Arguments& args) { return args.text("query", 3); };
  EXPECT_EQ(value({{"query", "äöü"}}, read), "äöü");
  EXPECT_EQ(value({{"query", " "}}, read), std::nullopt);
  EXPECT_EQ(value(Json::object(), read), std::nullopt);
  EXPECT_EQ(complaint({{"query", "äöüß"}}, read), "query must have at most 3 characters, not 4.");
}

TEST(Arguments, ReadFlags) {
  EXPECT_TRUE(value({{"include_subagents", true}}, kFlag));
  EXPECT_TRUE(value({{"include_subagents", "True"}}, kFlag));
  EXPECT_FALSE(value({{"include_subagents", "false"}}, kFlag));
  EXPECT_FALSE(value(Json::object(), kFlag));
  EXPECT_EQ(complaint({{"include_subagents", "yes please"}}, kFlag),
            R"(include_subagents must be true or false, not "yes please".)");
  EXPECT_EQ(complaint({{"include_subagents", 1}}, kFlag),
            "include_subagents must be true or false, not 1.");
}

TEST(Arguments, ReadATextOrAList) {
  EXPECT_EQ(value({{"mode", "a"}}, kTexts), (Words{"a"}));
  EXPECT_EQ(value({{"mode", {"a", "b"}}}, kTexts), (Words{"a", "b"}));
  EXPECT_EQ(value({{"mode", R"(["a","b"])"}}, kTexts), (Words{"a", "b"}));
  EXPECT_EQ(value({{"mode", "[a"}}, kTexts), (Words{"[a"}));
  EXPECT_EQ(value({{"mode", Json::array()}}, kTexts), Words{});
  EXPECT_EQ(value({{"mode", ""}}, kTexts), Words{});
  EXPECT_EQ(complaint({{"mode", {"a", Json::object()}}}, kTexts),
            "mode must be a text or a list of texts, not an object.");
  EXPECT_EQ(complaint({{"mode", true}}, kTexts),
            "mode must be a text or a list of texts, not true.");
}

TEST(Arguments, ChooseFromWhatThereIs) {
  EXPECT_EQ(value({{"mode", "Keyword"}}, kChoice), "keyword");
  EXPECT_EQ(value(Json::object(), kChoice), std::nullopt);
  EXPECT_EQ(complaint({{"mode", "keywrod"}}, kChoice),
            R"(mode must be keyword, meaning or both, not "keywrod". Did you mean keyword?)");
  EXPECT_EQ(complaint({{"mode", "telepathy"}}, kChoice),
            R"(mode must be keyword, meaning or both, not "telepathy".)");
  EXPECT_EQ(value({{"mode", "both, keyword,,both"}}, kChoices), (Words{"both", "keyword"}));
  EXPECT_EQ(value({{"mode", {"meaning", "both"}}}, kChoices), (Words{"meaning", "both"}));
  EXPECT_EQ(complaint({{"mode", {"both", "no"}}}, kChoices),
            R"(mode must be keyword, meaning or both, not "no".)");
}

TEST(Arguments, RefuseNamesTheyDoNotKnow) {
  const auto nothing = [](Arguments&) {};
  EXPECT_EQ(complaint({{"query", "x"}, {"limt", 5}}, nothing),
            "Unknown argument \"limt\"; did you mean limit? "
            "Known are query, limit, mode and include_subagents.");
  EXPECT_EQ(complaint({{"__bogus__", 1}}, nothing),
            "Unknown argument \"__bogus__\"; known are query, limit, mode and include_subagents.");
}

TEST(Arguments, KeepTheFirstProblemOnly) {
  const Json object = {{"limit", 0}, {"mode", "x"}};
  Arguments args(object, {"query", "limit", "mode"});
  EXPECT_EQ(args.required_text("query"), "");
  EXPECT_EQ(args.integer("limit", {1, 100}, 10), 10);
  args.refuse("Something else.");
  EXPECT_EQ(args.error(), "query is required.");
}

TEST(Arguments, ShortenWhatTheyQuote) {
  const std::string error = complaint({{"limit", std::string(5000, 'x')}}, kLimit);
  EXPECT_LT(error.size(), 150U);
}

}  // namespace
}  // namespace yore::mcp
