#include "generator/vocabulary.hpp"

#include <bit>

#include "generator/json_text.hpp"

namespace yore::generator {
namespace {

// Roughly by frequency: the order is the Zipf rank.
constexpr std::array kWords = std::to_array<std::string_view>({
    "the",         "to",        "error",      "file",       "test",       "return",
    "if",          "is",        "in",         "for",        "of",         "and",
    "path",        "name",      "value",      "string",     "this",       "not",
    "with",        "type",      "data",       "const",      "line",       "from",
    "config",      "that",      "it",         "user",       "key",        "id",
    "true",        "false",     "null",       "function",   "state",      "run",
    "list",        "result",    "new",        "read",       "write",      "session",
    "request",     "response",  "cache",      "token",      "message",    "code",
    "index",       "build",     "source",     "default",    "options",    "version",
    "set",         "get",       "add",        "remove",     "update",     "check",
    "find",        "search",    "server",     "client",     "query",      "table",
    "column",      "parser",    "node",       "tree",       "handler",    "event",
    "context",     "status",    "output",     "input",      "format",     "log",
    "debug",       "warn",      "info",       "main",       "init",       "start",
    "stop",        "open",      "close",      "time",       "timeout",    "retry",
    "limit",       "count",     "size",       "offset",     "length",     "buffer",
    "stream",      "chunk",     "block",      "record",     "field",      "object",
    "array",       "map",       "number",     "integer",    "float",      "boolean",
    "byte",        "char",      "text",       "json",       "yaml",       "schema",
    "model",       "view",      "page",       "route",      "service",    "module",
    "package",     "import",    "export",     "class",      "struct",     "interface",
    "method",      "property",  "param",      "argument",   "callback",   "promise",
    "async",       "await",     "thread",     "lock",       "queue",      "worker",
    "task",        "job",       "schedule",   "branch",     "commit",     "merge",
    "diff",        "patch",     "repo",       "remote",     "local",      "directory",
    "folder",      "root",      "parent",     "child",      "sibling",    "left",
    "right",       "first",     "last",       "next",       "previous",   "before",
    "after",       "empty",     "missing",    "invalid",    "unexpected", "expected",
    "actual",      "failed",    "passed",     "skipped",    "pending",    "running",
    "done",        "ready",     "active",     "enabled",    "disabled",   "public",
    "private",     "static",    "final",      "global",     "scope",      "closure",
    "variable",    "constant",  "expression", "statement",  "condition",  "loop",
    "iterator",    "range",     "slice",      "copy",       "move",       "clone",
    "delete",      "insert",    "select",     "where",      "join",       "group",
    "order",       "sort",      "filter",     "reduce",     "fold",       "match",
    "pattern",     "regex",     "replace",    "split",      "trim",       "encode",
    "decode",      "hash",      "digest",     "sign",       "verify",     "encrypt",
    "auth",        "login",     "logout",     "password",   "secret",     "credential",
    "permission",  "role",      "admin",      "guest",      "account",    "profile",
    "email",       "address",   "phone",      "date",       "hour",       "minute",
    "second",      "day",       "week",       "month",      "year",       "zone",
    "locale",      "language",  "translate",  "render",     "layout",     "style",
    "theme",       "color",     "width",      "height",     "margin",     "border",
    "button",      "form",      "label",      "menu",       "dialog",     "panel",
    "tab",         "window",    "screen",     "image",      "icon",       "font",
    "audio",       "video",     "media",      "upload",     "download",   "fetch",
    "post",        "header",    "body",       "cookie",     "proxy",      "gateway",
    "socket",      "port",      "host",       "domain",     "network",    "connect",
    "disconnect",  "ping",      "latency",    "throughput", "memory",     "disk",
    "cpu",         "process",   "signal",     "exit",       "crash",      "panic",
    "trace",       "stack",     "frame",      "heap",       "leak",       "garbage",
    "pointer",     "reference", "weak",       "shared",     "owner",      "borrow",
    "lifetime",    "generic",   "template",   "macro",      "compile",    "link",
    "library",     "binary",    "archive",    "release",    "deploy",     "rollback",
    "migrate",     "backup",    "restore",    "snapshot",   "replica",    "cluster",
    "shard",       "partition", "leader",     "follower",   "election",   "consensus",
    "transaction", "isolation", "deadlock",   "constraint", "foreign",    "primary",
    "unique",      "view",      "trigger",    "cursor",     "batch",      "bulk",
    "flush",       "sync",      "drain",      "throttle",   "backoff",    "jitter",
    "circuit",     "breaker",   "health",     "probe",      "metric",     "counter",
    "gauge",       "histogram", "alert",      "dashboard",  "report",     "audit",
    "policy",      "rule",      "quota",      "billing",    "invoice",    "payment",
    "refund",      "order",     "catalog",    "product",    "stock",      "price",
    "discount",    "coupon",    "cart",       "checkout",   "shipping",   "webhook",
    "plugin",      "extension", "hook",       "middleware", "adapter",    "bridge",
    "factory",     "builder",   "visitor",    "observer",   "registry",   "resolver",
    "loader",      "writer",    "reader",     "scanner",    "lexer",      "grammar",
    "symbol",      "literal",   "operator",   "precedence", "indent",     "unicode",
    "normalize",   "surrogate", "glyph",      "terminal",   "prompt",     "command",
    "shell",       "pipeline",  "artifact",   "container",  "volume",     "mount",
    "sandbox",     "fixture",   "mock",       "stub",       "assert",     "coverage",
    "benchmark",   "profile",   "flaky",      "regression", "bisect",     "revert",
});

constexpr std::array kSyllables = std::to_array<std::string_view>({
    "ka",  "lo",  "mi",  "ren", "tu",  "vex", "dor", "sil", "qua", "pri",  "zan", "bel",
    "cor", "fen", "gra", "hol", "jut", "nor", "ost", "pel", "rud", "sten", "tri", "und",
});

// in_use_² ≤ tokens × log2(tokens)² × 5/4: about 100,000 distinct terms in the text of 1 GB of
// transcripts. The logarithm makes up for the common words, whose number does not grow.
constexpr std::uint64_t kGrowth = 5;
constexpr std::uint64_t kGrowthDivisor = 4;

void append_capitalised(std::string& out, std::string_view word) {
  out += static_cast<char>(word[0] - 'a' + 'A');
  out += word.substr(1);
}

void append_upper(std::string& out, std::string_view word) {
  for (const char c : word) out += static_cast<char>(c - 'a' + 'A');
}

}  // namespace

Vocabulary::Vocabulary(std::uint64_t seed) : seed_(seed) {
  // Slot shares fall as 1/(rank+4).
  std::uint64_t total = 0;
  const auto weight = [](std::size_t rank) { return (1ULL << 32) / (rank + 4); };
  for (std::size_t rank = 0; rank < kWords.size(); ++rank) total += weight(rank);
  std::uint64_t sum = 0;
  std::size_t slot = 0;
  for (std::size_t rank = 0; rank < kWords.size(); ++rank) {
    sum += weight(rank);
    const std::size_t end = static_cast<std::size_t>(sum * by_weight_.size() / total);
    for (; slot < end && slot < by_weight_.size(); ++slot) {
      by_weight_[slot] = static_cast<std::uint16_t>(rank);
    }
  }
}

void Vocabulary::word(Rng& rng, std::string& out) {
  ++tokens_;
  out += kWords[by_weight_[rng.next() >> 52]];
}

std::uint32_t Vocabulary::known_identifier(Rng& rng) const {
  // Equal chances for each power of two: frequency falls as 1/rank.
  const auto bits = static_cast<std::uint32_t>(std::bit_width(in_use_));
  const std::uint32_t low = 1U << rng.below(bits);
  const std::uint32_t chosen = low + rng.below(low) - 1;
  return chosen < in_use_ ? chosen : rng.below(in_use_);
}

void Vocabulary::identifier(Rng& rng, std::string& out) {
  ++tokens_;
  const auto log2 = static_cast<std::uint64_t>(std::bit_width(tokens_));
  const bool coin =
      std::uint64_t{in_use_} * in_use_ < kGrowth * tokens_ * log2 * log2 / kGrowthDivisor;
  name(coin ? in_use_++ : known_identifier(rng), out);
}

void Vocabulary::name(std::uint32_t identifier, std::string& out) const {
  std::uint64_t state = seed_ + identifier * 0xD1342543DE82EF95ULL;
  const std::uint64_t bits = Rng::splitmix(state);
  const auto word = [bits](int shift) { return kWords[(bits >> shift & 0x3FFF) % kWords.size()]; };
  const std::string_view a = word(8);
  const std::string_view b = word(22);
  const std::string_view c = word(36);
  switch (bits & 15) {
    case 0:
    case 1:
    case 2:
    case 3:  // camelCase
      out += a;
      append_capitalised(out, b);
      if ((bits & 16) != 0) append_capitalised(out, c);
      return;
    case 4:
    case 5:
    case 6:  // snake_case
      out += a;
      out += '_';
      out += b;
      if ((bits & 16) != 0) (out += '_') += c;
      return;
    case 7:
    case 8:  // TypeName
      append_capitalised(out, a);
      append_capitalised(out, b);
      append_capitalised(out, c);
      return;
    case 9:  // FooError
      append_capitalised(out, a);
      append_capitalised(out, b);
      out += "Error";
      return;
    case 10:  // CONSTANT_NAME
      append_upper(out, a);
      out += '_';
      append_upper(out, b);
      return;
    case 11:  // short hash
      for (int shift = 8; shift < 36; shift += 4) out += "0123456789abcdef"[bits >> shift & 15];
      return;
    case 12:  // number
      append_number(out, bits >> 40 & 0xFFFFF);
      return;
    case 13:  // version or ticket
      out += (bits & 16) != 0 ? "v" : "build";
      append_number(out, bits >> 40 & 0xFF);
      out += '.';
      append_number(out, bits >> 50 & 0x3FF);
      return;
    default: {  // a word nobody has seen before
      const std::uint64_t parts = 2 + (bits >> 4 & 1);
      for (std::uint64_t i = 0; i <= parts; ++i) {
        out += kSyllables[(bits >> (8 + 8 * i) & 0xFF) % kSyllables.size()];
      }
      return;
    }
  }
}

std::string_view Vocabulary::common_word(std::uint32_t rank) {
  return kWords[rank % kWords.size()];
}

std::uint32_t Vocabulary::common_words() {
  return static_cast<std::uint32_t>(kWords.size());
}

}  // namespace yore::generator
