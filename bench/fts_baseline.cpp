#include "fts_baseline.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unordered_map>

#include "lexical/format/types.hpp"
#include "text/analyzer.hpp"

namespace yore::bench {
namespace {

constexpr int kMaxPhrases = 64;

void check(sqlite3* database, int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  std::fprintf(stderr, "FTS5: %s\n", sqlite3_errmsg(database));
  std::exit(1);
}

// The analyser as a tokenizer of SQLite. Queries come as terms already.
struct Tokenizer {
  text::Analyzer analyzer;
  text::Stemmer stemmer;
  std::uint32_t length = 0;  // of the last document, in positions
  std::unordered_map<std::string, std::string>
      stems;  // each word is stemmed once, as in our builder

  const std::string& stem_of(std::string_view word) {
    key.assign(word);
    const auto [at, is_new] = stems.try_emplace(key);
    if (is_new) at->second = stemmer.stem(word);
    return at->second;
  }
  std::string key;
};

using OnToken = int (*)(void*, int, const char*, int, int, int);

int emit(OnToken on_token, void* context, int flags, std::string_view text) {
  const int size = static_cast<int>(text.size());
  return on_token(context, flags, text.data(), size, 0, size);
}

int tokenize(Fts5Tokenizer* handle, void* context, int why, const char* bytes, int size,
             OnToken on_token) {
  const std::string_view text(bytes, static_cast<std::size_t>(size));
  if ((why & FTS5_TOKENIZE_QUERY) != 0) return emit(on_token, context, 0, text);
  auto& own = *reinterpret_cast<Tokenizer*>(handle);
  std::int64_t position = -1;
  for (const text::Term& term : own.analyzer.analyze(text)) {
    const int same_place = term.position == position ? FTS5_TOKEN_COLOCATED : 0;
    position = term.position;
    if (const int code = emit(on_token, context, same_place, term.text); code != SQLITE_OK) {
      return code;
    }
    if (!term.stemmable) continue;
    const std::string_view stem = own.stem_of(term.text);
    if (stem.empty() || stem == term.text) continue;
    if (const int code = emit(on_token, context, FTS5_TOKEN_COLOCATED, stem); code != SQLITE_OK) {
      return code;
    }
  }
  own.length = own.analyzer.positions();
  return SQLITE_OK;
}

// What the rank function knows between rows of one query.
struct Best {
  const std::vector<std::uint32_t>* lengths = nullptr;
  double average = 1;
  std::size_t k = 10;
  bool started = false;
  std::array<double, kMaxPhrases> idf{};
  std::vector<FtsHit> heap;  // the worst on top

  static bool better(const FtsHit& a, const FtsHit& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  }
  void add(const FtsHit& hit) {
    if (heap.size() == k) {
      if (!better(hit, heap.front())) return;
      std::ranges::pop_heap(heap, better);
      heap.pop_back();
    }
    heap.push_back(hit);
    std::ranges::push_heap(heap, better);
  }
};

int count_row(const Fts5ExtensionApi*, Fts5Context*, void* count) {
  ++*static_cast<std::int64_t*>(count);
  return SQLITE_OK;
}

// Adds the row to the best of this query; answers 0, so that no row is returned.
void keep_best(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int,
               sqlite3_value**) {
  auto& best = *static_cast<Best*>(api->xUserData(context));
  const int phrases = std::min(api->xPhraseCount(context), kMaxPhrases);
  if (!best.started) {
    best.started = true;
    sqlite3_int64 rows = 0;
    api->xRowCount(context, &rows);
    for (int i = 0; i < phrases; ++i) {
      std::int64_t having = 0;
      api->xQueryPhrase(context, i, &having, count_row);
      best.idf[static_cast<std::size_t>(i)] = std::log(
          1 + (static_cast<double>(rows - having) + 0.5) / (static_cast<double>(having) + 0.5));
    }
  }
  const sqlite3_int64 row = api->xRowid(context);
  const double length = (*best.lengths)[static_cast<std::size_t>(row)];
  const double norm = lexical::kK1 * (1 - lexical::kB + lexical::kB * length / best.average);
  double score = 0;
  for (int i = 0; i < phrases; ++i) {
    Fts5PhraseIter at;
    int column = 0;
    int offset = 0;
    int tf = 0;
    for (api->xPhraseFirst(context, i, &at, &column, &offset); column >= 0;
         api->xPhraseNext(context, &at, &column, &offset)) {
      ++tf;
    }
    if (tf > 0) score += best.idf[static_cast<std::size_t>(i)] * tf / (tf + norm);
  }
  best.add({row, score});
  sqlite3_result_int(result, 0);
}

// "one" OR "two"
std::string match_expression(const std::vector<std::string>& terms) {
  std::string text;
  for (const std::string& term : terms) {
    if (!text.empty()) text += " OR ";
    text += '"';
    for (const char c : term) text.append(c == '"' ? 2 : 1, c);
    text += '"';
  }
  return text;
}

}  // namespace

struct FtsBaseline::State {
  std::string path;
  sqlite3* database = nullptr;
  sqlite3_stmt* insert = nullptr;
  sqlite3_stmt* stock = nullptr;
  sqlite3_stmt* tuned = nullptr;
  Tokenizer tokenizer;
  std::vector<std::uint32_t> lengths = {0};  // by row; rows begin at 1
  std::uint64_t total_length = 0;
  Best best;

  void run(const char* sql) {
    check(database, sqlite3_exec(database, sql, nullptr, nullptr, nullptr));
  }
  sqlite3_stmt* prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    check(database, sqlite3_prepare_v2(database, sql, -1, &statement, nullptr));
    return statement;
  }
  // The one tokenizer there is: the table asks for one when it is made.
  void register_with_fts() {
    fts5_api* api = nullptr;
    sqlite3_stmt* ask = prepare("SELECT fts5(?1)");
    sqlite3_bind_pointer(ask, 1, &api, "fts5_api_ptr", nullptr);
    sqlite3_step(ask);
    sqlite3_finalize(ask);
    static fts5_tokenizer methods = {[](void* own, const char**, int, Fts5Tokenizer** out) {
                                       *out = static_cast<Fts5Tokenizer*>(own);
                                       return SQLITE_OK;
                                     },
                                     [](Fts5Tokenizer*) {}, tokenize};
    check(database, api->xCreateTokenizer(api, "yore", &tokenizer, &methods, nullptr));
    check(database, api->xCreateFunction(api, "keep_best", &best, keep_best, nullptr));
  }
};

FtsBaseline::FtsBaseline(const std::string& path, std::uint64_t hash_bytes)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.path = path;
  std::filesystem::remove(path);
  check(nullptr, sqlite3_open(path.c_str(), &state.database));
  state.register_with_fts();
  state.run(
      "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-262144;"
      "PRAGMA mmap_size=8000000000;"
      "CREATE VIRTUAL TABLE t USING fts5(text, content='', detail=full, tokenize='yore')");
  if (hash_bytes > 0) {
    const std::string bytes = std::to_string(hash_bytes);
    state.run(("INSERT INTO t(t,rank) VALUES('hashsize'," + bytes + ")").c_str());
  }
  state.run("BEGIN");
  state.insert = state.prepare("INSERT INTO t(rowid,text) VALUES(?1,?2)");
}

FtsBaseline::~FtsBaseline() {
  for (sqlite3_stmt* statement : {state_->insert, state_->stock, state_->tuned}) {
    sqlite3_finalize(statement);
  }
  sqlite3_close(state_->database);
}

void FtsBaseline::add(std::string_view text) {
  State& state = *state_;
  sqlite3_bind_int64(state.insert, 1, static_cast<sqlite3_int64>(state.lengths.size()));
  sqlite3_bind_text(state.insert, 2, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  check(state.database, sqlite3_step(state.insert));
  sqlite3_reset(state.insert);
  state.lengths.push_back(state.tokenizer.length);
  state.total_length += state.tokenizer.length;
}

void FtsBaseline::finish() {
  State& state = *state_;
  state.run("COMMIT");
  state.stock = state.prepare("SELECT rowid FROM t WHERE t MATCH ?1 ORDER BY rank LIMIT ?2");
  state.tuned = state.prepare("SELECT rowid FROM t WHERE t MATCH ?1 AND keep_best(t)");
  state.best.lengths = &state.lengths;
  state.best.average = static_cast<double>(state.total_length) / static_cast<double>(rows());
}

void FtsBaseline::optimize() {
  state_->run("INSERT INTO t(t) VALUES('optimize')");
}

std::vector<FtsHit> FtsBaseline::search_stock(const std::vector<std::string>& terms, int k) {
  sqlite3_stmt* statement = state_->stock;
  const std::string expression = match_expression(terms);
  sqlite3_bind_text(statement, 1, expression.c_str(), -1, SQLITE_STATIC);
  sqlite3_bind_int(statement, 2, k);
  std::vector<FtsHit> hits;
  int code = 0;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    hits.push_back({sqlite3_column_int64(statement, 0), 0});
  }
  check(state_->database, code);
  sqlite3_reset(statement);
  return hits;
}

std::vector<FtsHit> FtsBaseline::search_tuned(const std::vector<std::string>& terms,
                                              std::size_t k) {
  Best& best = state_->best;
  best.k = k;
  best.started = false;
  best.heap.clear();
  const std::string expression = match_expression(terms);
  sqlite3_bind_text(state_->tuned, 1, expression.c_str(), -1, SQLITE_STATIC);
  check(state_->database, sqlite3_step(state_->tuned));
  sqlite3_reset(state_->tuned);
  std::ranges::sort_heap(best.heap, Best::better);
  return best.heap;
}

std::uint64_t FtsBaseline::rows() const {
  return state_->lengths.size() - 1;
}

std::uint64_t FtsBaseline::bytes() const {
  return std::filesystem::file_size(state_->path);
}

}  // namespace yore::bench
