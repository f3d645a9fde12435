// What is a secret, what only looks like one, and the quick look against its slow twin.
#include "text/secrets/secrets.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/ascii.hpp"
#include "text/secrets/detectors.hpp"
#include "text/secrets/shape.hpp"
#include "text/secrets/starters.hpp"
#include "unit/text/labelled_secrets.hpp"

namespace yore::text {
namespace {

// Made up, and put together here so that no scanner of sources finds a token.
std::string made_up(std::string_view prefix, std::size_t size, unsigned seed = 7) {
  constexpr std::string_view kAll =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::mt19937 random(seed);
  std::string out(prefix);
  for (std::size_t i = 0; i < size; ++i) out += kAll[random() % kAll.size()];
  return out;
}

constexpr std::uint64_t kRounds = 20;  // of made-up values for each line

// The figures of docs/SECURITY.md.
TEST(Secrets, AreFoundInTheLabelledLinesAndNothingElseIs) {
  std::map<std::string, int> missed;
  std::map<std::string, int> false_alarms;
  std::size_t secrets = 0;
  std::size_t look_alikes = 0;
  for (std::uint64_t seed = 1; seed <= kRounds; ++seed) {
    for (const LabelledLine& line : labelled_lines(seed)) {
      const auto found = find_secrets(line.text);
      if (!line.secret) {
        ++look_alikes;
        if (!found.empty()) ++false_alarms[line.kind];
        continue;
      }
      ++secrets;
      const bool whole = std::ranges::any_of(found, [&](const Secret& secret) {
        return secret.begin <= line.begin && secret.end >= line.end && secret.kind == line.kind;
      });
      if (!whole) ++missed[line.kind];
    }
  }
  EXPECT_EQ(secrets, 287 * kRounds);
  EXPECT_EQ(look_alikes, 160 * kRounds);
  EXPECT_EQ(missed, (std::map<std::string, int>{{"huggingface-token", 1}, {"secret", 1}}));
  EXPECT_EQ(false_alarms, (std::map<std::string, int>{}));
}

TEST(Secrets, MaskedTextHasNone) {
  for (const LabelledLine& line : labelled_lines(1)) {
    const std::string once = masked(line.text);
    EXPECT_EQ(masked(once), once);
  }
}

TEST(Secrets, TheRestOfTheTextStaysAsItIs) {
  const std::string token = made_up("ghp_", 36);
  EXPECT_EQ(masked("before " + token + ", after\n"), "before [masked:github-token], after\n");
  EXPECT_EQ(masked("no secret here"), "no secret here");
  EXPECT_EQ(masked(""), "");
}

TEST(Secrets, StandBehindEscapesLineEndsAndColours) {
  const std::string token = made_up("ghp_", 36);
  for (const std::string_view before : {"\n", "\r\n", "\\n", "\\t", "\\u003d", "\x1b[31m", "%3D",
                                        "\"", "\\\"", "(", "=", "/", "-"}) {
    for (const std::string_view after : {"\n", "\r\n", "\\n", "\"", "\\\"", ".", ",", ")", ""}) {
      const std::string text = "x" + std::string(before) + token + std::string(after);
      EXPECT_EQ(text::masked(text).find(token.substr(4)), std::string::npos) << text;
    }
  }
}

TEST(Secrets, OfACutTextAreTakenFromWhereTheyBegin) {
  const std::string token = made_up("ghp_", 36);
  const std::string whole = "export GH=" + token;
  for (std::size_t size = whole.size() - 35; size <= whole.size(); ++size) {
    EXPECT_EQ(masked(whole.substr(0, size), TextEnd::perhaps_cut),
              "export GH=[masked:github-token]")
        << size;
  }
  EXPECT_EQ(masked("psql postgres://app:" + made_up("", 6), TextEnd::perhaps_cut),
            "psql postgres://app:[masked:url-password]");
  EXPECT_EQ(masked("see http://localhost:8080", TextEnd::perhaps_cut), "see http://localhost:8080");
}

TEST(Secrets, AKeyBlockIsMaskedWithoutItsFirstOrLastLine) {
  const std::string body = made_up("", 64) + "\n" + made_up("", 64, 8) + "\n";
  const std::string first =
      "-----BEGIN RSA PRIVATE "
      "KEY-----\n";
  const std::string last =
      "-----END RSA PRIVATE "
      "KEY-----";
  EXPECT_EQ(masked(first + body + last), "[masked:private-key]");
  EXPECT_EQ(masked(first + body), "[masked:private-key]\n");
  EXPECT_EQ(masked(body + last), "[masked:private-key]");
}

TEST(Secrets, AChecksumThatIsRightIsKnown) {
  // The CRC-32 of "123456789" is 0xCBF43926.
  std::string digits;
  for (std::uint64_t rest = 0xCBF43926; rest != 0; rest /= 62) {
    digits.insert(digits.begin(),
                  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[rest % 62]);
  }
  EXPECT_TRUE(has_checksum("123456789" + digits));
  EXPECT_FALSE(has_checksum("123456780" + digits));
}

TEST(Secrets, OfTwoPrefixesTheLongerIsTriedFirst) {
  const auto rows = detectors();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      EXPECT_FALSE(rows[j].prefix.starts_with(rows[i].prefix)) << rows[j].prefix;
    }
  }
}

// Byte by byte.
Starters slow_starters(std::string_view text) {
  Starters out;
  std::size_t run = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const bool in_run =
        at < text.size() && (ascii::is_alnum(text[at]) || text[at] == '_' || text[at] == '-');
    if (!in_run) {
      if (at - run >= kLeastRun) out.runs.push_back({run, at});
      run = at + 1;
    }
    for (const std::string_view word : kStarterWords) {
      if (ascii::to_lower(text.substr(at, word.size())) == word) {
        out.words.push_back(at);
        break;
      }
    }
  }
  return out;
}

TEST(Starters, AreThoseOfTheSlowTwinInAnyText) {
  constexpr std::string_view kPieces[] = {"password",   "PWD",
                                          "Secret",     "tok",
                                          "token",      "key",
                                          "KEY",        "cred",
                                          "://",        "bearer",
                                          "Basic",      " ",
                                          "\n",         "_",
                                          "-",          "é",
                                          "a",          "0123456789",
                                          "abcdefghij", "\xff",
                                          ".",          "ABCDEFGHIJKLMNOPQRST"};
  std::mt19937 random(3);
  Starters fast;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const std::size_t pieces = random() % 40;
    for (std::size_t i = 0; i < pieces; ++i) text += kPieces[random() % std::size(kPieces)];
    find_starters(text, fast);
    const Starters slow = slow_starters(text);
    ASSERT_EQ(fast.words, slow.words) << text;
    ASSERT_EQ(fast.runs, slow.runs) << text;
  }
}

}  // namespace
}  // namespace yore::text
