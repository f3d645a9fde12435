// store_double.hpp — reads a folder of transcripts the way the engine and the store do together,
// in memory: for cases and properties over every adapter.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "case_file.hpp"
#include "dump.hpp"
#include "support/temp_dir.hpp"
#include "transcript/adapter.hpp"
#include "turns/session_builder.hpp"

namespace yore::cases {

// An empty folder, gone at the end. Its own name is the same each time: it may turn up in a dump.
class TemporaryFolder {
 public:
  TemporaryFolder();
  [[nodiscard]] const std::string& path() const { return path_; }

  // Lays down one part of a case: bytes, or SQL that is run on a database.
  void write(const FilePart& part) const;

 private:
  void run_sql(const std::string& target, const FilePart& part) const;

  fake::TempDir temporary_;
  std::string path_;
};

// Keeps what it is given the way the store does: sealed passages are added, open ones replaced.
// Between two steps of reading the builder is put away and restored.
class StoreDouble {
 public:
  StoreDouble(const transcript::Adapter& adapter, std::string root, transcript::ReadLimits limits)
      : adapter_(adapter), root_(std::move(root)), limits_(limits) {}

  // Lists the folder and reads what is new. What goes wrong on the way fails the test.
  void refresh();
  // Everything that is known, with {{root}} for the folder's name.
  [[nodiscard]] std::string dump_all() const;
  // By id.
  [[nodiscard]] std::map<std::string, const StoredSession*> sessions() const;

 private:
  struct Kept {
    StoredSession session;
    transcript::Cursor cursor;
    std::string state;
    std::string keys;
  };

  void read(const transcript::SessionRef& ref, Kept& kept);
  static void add(turns::SessionBuilder& builder, Kept& kept);

  const transcript::Adapter& adapter_;
  std::string root_;
  transcript::ReadLimits limits_;
  std::map<std::string, Kept> kept_;
  std::vector<std::pair<std::string, std::string>> problems_;
};

// The dump of reading the folder once, from nothing.
std::string read_everything(const transcript::Adapter& adapter, const std::string& root,
                            transcript::ReadLimits limits);

}  // namespace yore::cases
