#include <algorithm>
#include <array>

#include "text/analyzer.hpp"

namespace yore::text {
namespace {

// Sorted. "use", "make", "work", "error" and the like are missing on purpose: in questions about
// code they carry the meaning.
constexpr std::array<std::string_view, 163> kStopWords = {
    "a",       "about",      "above",      "after",   "again",   "all",     "also",    "am",
    "an",      "and",        "any",        "are",     "aren",    "as",      "at",      "be",
    "because", "been",       "before",     "being",   "below",   "between", "both",    "but",
    "by",      "can",        "cannot",     "could",   "couldn",  "d",       "did",     "didn",
    "do",      "does",       "doesn",      "doing",   "don",     "during",  "each",    "either",
    "ever",    "every",      "few",        "for",     "from",    "further", "had",     "hadn",
    "has",     "hasn",       "have",       "haven",   "having",  "he",      "her",     "here",
    "hers",    "herself",    "him",        "himself", "his",     "how",     "i",       "if",
    "in",      "into",       "is",         "isn",     "it",      "its",     "itself",  "just",
    "let",     "ll",         "m",          "me",      "mightn",  "more",    "most",    "much",
    "mustn",   "my",         "myself",     "needn",   "neither", "no",      "nor",     "not",
    "now",     "of",         "off",        "on",      "once",    "only",    "or",      "other",
    "our",     "ours",       "ourselves",  "out",     "over",    "own",     "please",  "re",
    "s",       "same",       "shall",      "shan",    "she",     "should",  "shouldn", "so",
    "some",    "such",       "t",          "than",    "that",    "the",     "their",   "theirs",
    "them",    "themselves", "then",       "there",   "these",   "they",    "this",    "those",
    "through", "to",         "too",        "under",   "until",   "up",      "upon",    "us",
    "ve",      "very",       "was",        "wasn",    "we",      "were",    "weren",   "what",
    "when",    "where",      "whether",    "which",   "while",   "who",     "whom",    "whose",
    "why",     "will",       "with",       "won",     "would",   "wouldn",  "you",     "your",
    "yours",   "yourself",   "yourselves",
};

static_assert(std::is_sorted(kStopWords.begin(), kStopWords.end()));

}  // namespace

bool is_stop_word(std::string_view folded) {
  return std::binary_search(kStopWords.begin(), kStopWords.end(), folded);
}

}  // namespace yore::text
