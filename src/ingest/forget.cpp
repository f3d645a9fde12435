#include "ingest/forget.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <unordered_set>

#include "base/files/file.hpp"
#include "base/trace.hpp"
#include "derive/embedder.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/archiving.hpp"
#include "ingest/known_prompts.hpp"
#include "ingest/scan_cache.hpp"
#include "store/exchange.hpp"
#include "store/lock.hpp"
#include "store/marks.hpp"
#include "store/mend.hpp"
#include "store/recall_log.hpp"
#include "store/saved_answers.hpp"
#include "store/upkeep.hpp"
#include "store/writer.hpp"
#include "turns/chunk_id.hpp"

namespace yore::ingest {
namespace {

constexpr std::chrono::seconds kWaitToForget{10};

// Turns of these origins in all sessions but these.
Status count_copies(store::Store& store, const std::unordered_set<std::int64_t>& sessions,
                    const std::unordered_set<std::uint64_t>& origins, std::uint64_t& count) {
  return store.each_turn([&](store::SessionId session, turns::Turn&& turn) {
    if (sessions.contains(static_cast<std::int64_t>(session))) return;
    if (!turn.forgotten && origins.contains(turn.origin)) ++count;
  });
}

// What was typed in these sessions and turns, as a history may repeat it.
Status add_prompts(store::Store& store, const std::unordered_set<std::int64_t>& sessions,
                   const std::vector<TurnPlace>& turns, std::vector<std::uint64_t>& hashes) {
  const auto add = [&](store::SessionId id, turns::TurnNumber first,
                       turns::TurnNumber last) -> Status {
    const auto passages = store.passages_of(id, first, last, store::kSaid);
    if (!passages) return passages.error();
    std::map<std::pair<turns::TurnNumber, std::uint32_t>, std::string> prompts;
    for (const auto& [key, passage] : *passages) {
      if (passage.surface != turns::Surface::user_prompt) continue;
      prompts[{passage.turn, passage.block}] += passage.text;
    }
    for (const auto& [place, text] : prompts) hashes.push_back(hash_of_prompt(text));
    return {};
  };
  Status status;
  for (const std::int64_t id : sessions) {
    if (status) status = add(store::SessionId{id}, 0, UINT32_MAX);
  }
  for (const TurnPlace& place : turns) {
    if (status) status = add(place.session, place.number, place.number);
  }
  return status;
}

// Sessions and turns that the tombstones name. Turns of one session together.
struct Named {
  std::vector<store::SessionId> sessions;
  std::map<std::int64_t, std::vector<turns::Turn>> turns;
};

Result<Named> find_named(store::Store& store, const store::Tombstones& forgotten) {
  Named named;
  std::unordered_set<std::int64_t> whole;
  Status status = store.each_session([&](store::SessionRow&& session) {
    if (!forgotten.has_session(session.uid)) return true;
    named.sessions.push_back(session.id);
    whole.insert(static_cast<std::int64_t>(session.id));
    return true;
  });
  if (!status) return status.error();
  status = store.each_turn([&](store::SessionId session, turns::Turn&& turn) {
    const auto id = static_cast<std::int64_t>(session);
    if (whole.contains(id) || !forgotten.has_turn(turn.origin)) return;
    named.turns[id].push_back(std::move(turn));
  });
  if (!status) return status.error();
  return named;
}

Status remove_from_store(store::Store& store, const store::Tombstones& forgotten) {
  const auto named = find_named(store, forgotten);
  if (!named) return named.error();
  auto writer = store::Writer::create(store);
  if (!writer) return writer.error();
  Status status = writer->begin();
  for (const store::SessionId session : named->sessions) {
    if (status) status = writer->remove_session(session);
  }
  for (const auto& [id, turns] : named->turns) {
    if (!status) break;
    const auto session = store.session(store::SessionId{id});
    if (!session) return session.error();
    if (*session) status = writer->forget_turns(**session, turns);
  }
  if (status) status = writer->commit();
  if (!status) writer->rollback();
  return status;
}

Status forget_named_losses(store::Store& store, const store::Tombstones& forgotten) {
  const auto mended = store::mended(store);
  if (!mended) return mended.error();
  std::vector<std::string> uids;
  for (const store::Loss& loss : *mended ? (*mended)->losses : std::vector<store::Loss>{}) {
    if (forgotten.has_session(loss.uid)) uids.push_back(loss.uid);
  }
  return store::forget_losses(store, uids);
}

Status forget_records(const config::World&, const config::Settings& settings,
                      const store::Tombstones& forgotten, const std::atomic<bool>&) {
  auto store = store::Store::open(settings.data_dir);
  if (!store) return store.error();
  Status status = store::overwrite_removed(*store);
  if (status) status = remove_from_store(*store, forgotten);
  if (status) status = forget_named_losses(*store, forgotten);
  if (status) status = store::squeeze_out(*store);
  return status;
}

// The words of an index are all of its words: it is built again from what is left.
Status forget_keywords(const config::World&, const config::Settings& settings,
                       const store::Tombstones&, const std::atomic<bool>& cancel) {
  std::error_code failed;
  std::filesystem::remove_all(derive::keyword_directory(settings.data_dir), failed);
  if (failed) {
    return Error{Errc::io, derive::keyword_directory(settings.data_dir) + ": " + failed.message()};
  }
  auto store = store::Store::open(settings.data_dir);
  if (!store) return store.error();
  const auto built = derive::update_keywords(*store, settings.data_dir, {}, cancel);
  return built ? Status{} : Status(built.error());
}

Status forget_vectors(const config::World& world, const config::Settings& settings,
                      const store::Tombstones&, const std::atomic<bool>&) {
  return derive::drop_unused_vectors(world, settings);
}

// It may name files of sessions that nobody is to know of; the next run makes it again.
Status forget_scan_cache(const config::World&, const config::Settings& settings,
                         const store::Tombstones&, const std::atomic<bool>&) {
  return remove_file(ScanCache::path(settings.data_dir));
}

// All of it that could be read is in the store.
Status forget_damaged_copy(const config::World&, const config::Settings& settings,
                           const store::Tombstones&, const std::atomic<bool>&) {
  for (const std::string& path :
       store::damaged_copies(store::Store::database_path(settings.data_dir))) {
    if (Status removed = remove_file(path); !removed) return removed;
  }
  return {};
}

Status forget_reminders(const config::World& world, const config::Settings& settings,
                        const store::Tombstones& forgotten, const std::atomic<bool>&) {
  return store::forget_recalls(settings.data_dir, forgotten, *world.files);
}

// The origin that the turn with this chunk id has now: its agent may have written it anew since it
// was marked. 0: no such turn.
Result<std::uint64_t> origin_now(store::Store& store, const store::MarkSubject& marked) {
  const auto session = store.session_by_uid(marked.session);
  if (!session) return session.error();
  if (!*session) return std::uint64_t{0};
  auto rows = store.editions_of((*session)->id);
  if (!rows) return rows.error();
  rows->push_back(std::move(**session));
  for (const store::SessionRow& row : *rows) {
    const auto turns = store.turns_of(row.id);
    if (!turns) return turns.error();
    for (const turns::Turn& turn : *turns) {
      if (turns::chunk_of(turn, row.uid) == marked.chunk) return turn.origin;
    }
  }
  return std::uint64_t{0};
}

// Before the records go, by which a mark finds its turn.
Status forget_marks(const config::World&, const config::Settings& settings,
                    const store::Tombstones& forgotten, const std::atomic<bool>&) {
  auto store = store::Store::open(settings.data_dir);
  if (!store) return store.error();
  return store::Marks::forget(settings.data_dir, forgotten, [&](const store::MarkSubject& marked) {
    if (!marked.is_turn()) return false;
    const auto origin = origin_now(*store, marked);
    return origin && forgotten.has_turn(*origin);
  });
}

Status forget_saved_answers(const config::World&, const config::Settings& settings,
                            const store::Tombstones& forgotten, const std::atomic<bool>&) {
  auto store = store::Store::open(settings.data_dir);
  if (!store) return store.error();
  return store::forget_saved(settings.data_dir, forgotten, [&](const store::SavedHit& hit) {
    const std::string base = hit.session.substr(0, hit.session.rfind(store::kEditionMark));
    const std::uint64_t chunk = std::strtoull(hit.chunk.c_str(), nullptr, 16);
    for (const std::string& session : {hit.session, base}) {
      const auto origin = origin_now(*store, {session, hit.origin, chunk});
      if (origin && forgotten.has_turn(*origin)) return true;
    }
    return false;
  });
}

constexpr std::array kHolders = {
    Holder{"marks", false, forget_marks},
    Holder{"saved answers", false, forget_saved_answers},
    Holder{"records", false, forget_records},
    Holder{"keyword index", true, forget_keywords},
    Holder{"vectors", true, forget_vectors},
    Holder{"scan cache", false, forget_scan_cache},
    Holder{"archive", false, forget_archived},
    Holder{"damaged store", true, forget_damaged_copy},
    Holder{"recalls", false, forget_reminders},
};

}  // namespace

std::span<const Holder> holders_of_text() {
  return kHolders;
}

Result<ForgetPlan> plan_forgetting(store::Store& store, const ForgetRequest& request) {
  ForgetPlan plan;
  std::unordered_set<std::uint64_t> origins;
  std::unordered_set<std::int64_t> whole;
  const auto take_turns = [&](store::SessionId id) -> Status {
    const auto turns = store.turns_of(id);
    if (!turns) return turns.error();
    for (const turns::Turn& turn : *turns) {
      if (turn.forgotten) continue;
      origins.insert(turn.origin);
      ++plan.turns;
    }
    whole.insert(static_cast<std::int64_t>(id));
    return {};
  };
  for (const store::SessionId id : request.sessions) {
    auto session = store.session(id);
    if (!session) return session.error();
    if (!*session || whole.contains(static_cast<std::int64_t>(id))) continue;
    if (Status status = take_turns(id); !status) return status.error();
    const auto editions = store.editions_of(id);
    if (!editions) return editions.error();
    for (const store::SessionRow& edition : *editions) {
      if (Status status = take_turns(edition.id); !status) return status.error();
    }
    plan.uids.push_back((*session)->uid);
    if (!(*session)->path.empty() && (*session)->missing_since == kNoTime) {
      plan.files.push_back((*session)->path);
    }
    plan.sessions.push_back(std::move(**session));
  }
  for (const TurnPlace& place : request.turns) {
    if (whole.contains(static_cast<std::int64_t>(place.session))) continue;
    const auto turn = store.turn(place.session, place.number);
    if (!turn) return turn.error();
    if (!*turn || (*turn)->forgotten || !origins.insert((*turn)->origin).second) continue;
    ++plan.turns;
  }
  Status status = count_copies(store, whole, origins, plan.copies);
  plan.copies -= std::min<std::uint64_t>(plan.copies, request.turns.size());
  origins.erase(0);
  plan.origins.assign(origins.begin(), origins.end());
  if (status) status = add_prompts(store, whole, request.turns, plan.origins);
  if (!status) return status.error();
  std::ranges::sort(plan.files);
  return plan;
}

Status forget(const config::World& world, const config::Settings& settings, const ForgetPlan& plan,
              const std::atomic<bool>& cancel) {
  const auto lock = store::WriterLock::acquire(settings.data_dir, kWaitToForget);
  if (!lock) return lock.error();
  Status begun = store::Tombstones::add(settings.data_dir, plan.uids, plan.origins);
  return begun ? finish_forgetting(world, settings, cancel) : begun;
}

Status finish_forgetting(const config::World& world, const config::Settings& settings,
                         const std::atomic<bool>& cancel) {
  const TraceStep step("forget");
  const auto forgotten = store::Tombstones::load(settings.data_dir);
  if (!forgotten) return forgotten.error();
  for (const Holder& holder : kHolders) {
    if (Status status = holder.remove(world, settings, *forgotten, cancel); !status) return status;
  }
  return store::Tombstones::set_finished(settings.data_dir);
}

}  // namespace yore::ingest
