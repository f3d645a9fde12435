// session_store.hpp — how the sessions of a described agent are kept: one class per StoreKind, each
// with the limits, cursors and rules for damage of jsonl.hpp or replay.hpp.
//
//   lines       the cursor of jsonl.hpp, then what the hook saves
//   rows        the cursor of rows.cpp
//   the others  are read from their start and replayed (replay.hpp): the cursor is what was told
// Threads: const, any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "transcript/adapter.hpp"
#include "transcript/spec/places.hpp"
#include "transcript/spec/record_reader.hpp"
#include "transcript/stores/beside.hpp"
#include "transcript/stores/replay.hpp"

namespace yore::transcript {

class SessionStore {
 public:
  explicit SessionStore(const CompiledSpec& compiled) : compiled_(compiled), spec_(compiled.spec) {}
  virtual ~SessionStore() = default;
  SessionStore(const SessionStore&) = delete;
  SessionStore& operator=(const SessionStore&) = delete;

  virtual Result<Listing> sessions(const Root& root, const PreviousListing& known) const = 0;
  virtual Result<bool> resumable(const SessionRef& session, const Cursor& cursor) const = 0;
  virtual Result<ReadStep> read(const SessionRef& session, const Cursor& cursor,
                                const ReadLimits& limits, RecordSink& sink) const = 0;

  // Adapter::rows: none of files.
  [[nodiscard]] virtual std::vector<OwnRows> rows_of(const SessionRef&) const { return {}; }

  // For an agent with several stores: does this session belong to this store?
  [[nodiscard]] virtual bool owns(const SessionRef& session) const {
    return has_name(session.path);
  }
  // Is a file of this name one that the places lead to?
  [[nodiscard]] bool has_name(std::string_view path) const;

 protected:
  const CompiledSpec& compiled_;
  const AgentSpec& spec_;
};

// Sessions that are files, found by the places of the description.
class FileStore : public SessionStore {
 public:
  using SessionStore::SessionStore;
  Result<Listing> sessions(const Root& root, const PreviousListing& known) const override;

 protected:
  // A file that a place led to. Stores whose sessions are more than a file add to the stamp, those
  // with many in a file give as many.
  virtual void add(SessionRef session, const Captures& captures, const PlaceRule& place,
                   const PreviousListing& known, PlaceFinder& finder, Listing& listing) const;

 private:
  struct Search;
  void add_file(const PlaceRule& place, const std::string& path, const Captures& captures,
                Search& search) const;
  // False: its first lines say that it is no session.
  bool read_head_of(SessionRef& session, const Captures& captures,
                    const PreviousListing& known) const;
};

// Sessions that are told from their start each time.
class ReplayedStore {
 public:
  virtual ~ReplayedStore() = default;
  Result<bool> replay_fits(const SessionRef& session, const Cursor& cursor) const;
  Result<ReadStep> replay(const CompiledSpec& compiled, const SessionRef& session,
                          const Cursor& cursor, const ReadLimits& limits, RecordSink& sink) const;

 protected:
  // Gives every object of the session to the reader, in an order that growth only adds to, and
  // tells the sink of the bytes of each. Stops when the sink is full; true: it did.
  virtual Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                            RecordReader& reader) const = 0;
  // For replay_fits, which has no other way to a reader.
  [[nodiscard]] virtual const CompiledSpec& compiled() const = 0;

 public:
  // The objects of one text: parsed, repaired when need be, counted when that does not help.
  static void tell_text(std::string_view text, const LineInfo& where, ReplaySink& sink,
                        RecordReader& reader);
  // Likewise of a session's own fields: metadata.
  static void tell_head(std::string_view text, const LineInfo& where, ReplaySink& sink,
                        RecordReader& reader);
};

// A store of this kind: `Base` finds the sessions, the class itself only tells them.
template <typename Base>
class Replayed : public Base, protected ReplayedStore {
 public:
  using Base::Base;

  Result<bool> resumable(const SessionRef& session, const Cursor& cursor) const final {
    return replay_fits(session, cursor);
  }
  Result<ReadStep> read(const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                        RecordSink& sink) const final {
    return replay(this->compiled_, session, cursor, limits, sink);
  }

 private:
  [[nodiscard]] const CompiledSpec& compiled() const final { return this->compiled_; }
};

// An object that holds several records, as an object for each of the keys in `split` that it has,
// with all other keys; without such keys, or when it is no whole object, the text as it is.
void each_split(std::string_view text, const std::vector<std::string>& split,
                const std::function<void(std::string_view record)>& on_record);

// A document and the list of messages in it, at the path `messages`; true when the sink was full
// before its end; path and split keys are the description's. Shared by documents in files and in
// rows.
bool tell_document(std::string_view text, const AgentSpec& spec, ReplaySink& sink,
                   RecordReader& reader);

// REQUIRES: `compiled` outlives the store.
std::unique_ptr<const SessionStore> make_store(const CompiledSpec& compiled);

// An id from inside a file becomes part of ours: it has to be a name.
bool is_usable_id(std::string_view id);
// "pi:<id>", "pi:<parent>/<id>".
std::string session_id(const AgentSpec& spec, std::string_view parent, std::string_view id);

// The sessions of each database that the places name: `list` opens one and adds to `listing`, which
// is the answer. One that has not changed is left closed.
Result<Listing> list_databases(const AgentSpec& spec, const Root& root,
                               const PreviousListing& known, Listing& listing,
                               const std::function<Status(const std::string& path)>& list);

// One per StoreKind.
std::unique_ptr<const SessionStore> make_lines_store(const CompiledSpec& compiled);
std::unique_ptr<const SessionStore> make_document_store(const CompiledSpec& compiled);
std::unique_ptr<const SessionStore> make_tree_store(const CompiledSpec& compiled);
std::unique_ptr<const SessionStore> make_rows_store(const CompiledSpec& compiled);
std::unique_ptr<const SessionStore> make_keyed_rows_store(const CompiledSpec& compiled);
std::unique_ptr<const SessionStore> make_sections_store(const CompiledSpec& compiled);
std::unique_ptr<const SessionStore> make_blobs_store(const CompiledSpec& compiled);
std::unique_ptr<const SessionStore> make_exports_store(const CompiledSpec& compiled);

}  // namespace yore::transcript
