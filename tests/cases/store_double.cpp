#include "store_double.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/sqlite.hpp"

namespace yore::cases {
namespace {

namespace fs = std::filesystem;
using transcript::Adapter;
using transcript::SessionRef;
using turns::SessionBuilder;

constexpr int kMaxSteps = 20'000;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

bool better(const SessionRef& a, const SessionRef& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  if (a.stamp.size_bytes != b.stamp.size_bytes) return a.stamp.size_bytes > b.stamp.size_bytes;
  return a.path < b.path;
}

}  // namespace

TemporaryFolder::TemporaryFolder() : path_(temporary_.path() + "/case") {
  fs::create_directory(path_);
}

void TemporaryFolder::write(const FilePart& part) const {
  const fs::path target = fs::path(path_) / part.name;
  fs::create_directories(target.parent_path());
  if (part.sql) return run_sql(target.string(), part);
  std::ofstream out(target, std::ios::binary | (part.append ? std::ios::app : std::ios::trunc));
  out << expand_placeholders(part.body, path_);
}

void TemporaryFolder::run_sql(const std::string& target, const FilePart& part) const {
  if (!part.append) fs::remove(target);
  auto database = Database::open(target, Database::Mode::create);
  ASSERT_TRUE(database.ok()) << database.error().message;
  const auto status =
      database->run("PRAGMA synchronous=OFF;" + expand_placeholders(part.body, path_));
  ASSERT_TRUE(status.ok()) << status.error().message;
}

void StoreDouble::refresh() {
  auto listing = adapter_.sessions({root_, false}, {});
  ASSERT_TRUE(listing.ok()) << listing.error().message;
  problems_ = listing->problems;
  std::map<std::string, SessionRef> chosen;
  for (SessionRef& ref : listing->sessions) {
    const auto [it, fresh] = chosen.emplace(ref.id, ref);
    if (!fresh && better(ref, it->second)) it->second = ref;
  }
  std::erase_if(kept_, [&](const auto& item) { return !chosen.contains(item.first); });
  for (const auto& [id, ref] : chosen) read(ref, kept_[id]);
}

std::string StoreDouble::dump_all() const {
  std::string out;
  for (const auto& [id, kept] : kept_) out += dump(kept.session);
  for (const auto& [path, sentence] : problems_) out += "listing problem " + sentence + "\n";
  return replaced(std::move(out), root_, "{{root}}");
}

std::map<std::string, const StoredSession*> StoreDouble::sessions() const {
  std::map<std::string, const StoredSession*> all;
  for (const auto& [id, kept] : kept_) all.emplace(id, &kept.session);
  return all;
}

void StoreDouble::read(const SessionRef& ref, Kept& kept) {
  if (!kept.cursor.empty()) {
    const auto resumable = adapter_.resumable(ref, kept.cursor);
    if (!resumable.ok() || !*resumable || ref.path != kept.session.ref.path) kept = {};
  }
  kept.session.ref = ref;
  bool more = true;
  for (int steps = 0; more; ++steps) {
    ASSERT_LT(steps, kMaxSteps) << "the reader comes to no end: " << ref.path;
    SessionBuilder builder;
    if (!kept.state.empty()) {
      auto restored = SessionBuilder::restore(kept.state, kept.keys);
      ASSERT_TRUE(restored.ok()) << restored.error().message;
      builder = std::move(*restored);
    }
    const auto step = adapter_.read(ref, kept.cursor, limits_, builder);
    ASSERT_TRUE(step.ok()) << step.error().message;
    ASSERT_FALSE(step->more && step->cursor == kept.cursor) << "the reader stands still";
    kept.cursor = step->cursor;
    more = step->more;
    add(builder, kept);
  }
}

void StoreDouble::add(SessionBuilder& builder, Kept& kept) {
  turns::Delta delta = builder.take();
  StoredSession& session = kept.session;
  for (turns::Turn& turn : delta.turns) session.turns[turn.number] = std::move(turn);
  for (const turns::TurnNumber number : delta.abandoned) session.turns[number].abandoned = true;
  std::ranges::move(delta.sealed, std::back_inserter(session.sealed));
  session.open = std::move(delta.open);
  session.facts = std::move(delta.facts);
  std::ranges::move(delta.leaf_titles, std::back_inserter(session.leaf_titles));
  kept.keys += delta.new_keys;
  kept.state = std::move(delta.state);
  std::ranges::move(builder.take_problems(), std::back_inserter(session.problems));
  for (const auto& [what, count] : builder.take_unknown()) session.unknown[what] += count;
}

std::string read_everything(const Adapter& adapter, const std::string& root,
                            transcript::ReadLimits limits) {
  StoreDouble store(adapter, root, limits);
  store.refresh();
  return store.dump_all();
}

}  // namespace yore::cases
