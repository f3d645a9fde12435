// masking.hpp — secrets in answers become "[masked:KIND]" here, before anything is cut, painted or
// counted: whoever shows an answer has no secret to show.
//
// Every text of an answer is looked at: what was said, titles, folders, branches, paths, commands,
// notes, errors. What is a secret says text/secrets/secrets.hpp.
// Threads: a Masker may be used by several at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/indexer.hpp"
#include "search/reader.hpp"
#include "search/searcher.hpp"
#include "search/turn_walk.hpp"
#include "service/doctor.hpp"
#include "service/json.hpp"
#include "service/stats.hpp"
#include "service/status.hpp"

namespace yore::service {

class Masker {
 public:
  // With `on` false all that follows leaves everything as it is.
  explicit Masker(bool on = true) : on_(on) {}
  // As the settings say; `reveal`: a person at a terminal wants to see them.
  explicit Masker(const config::Settings& settings, bool reveal = false);

  void operator()(search::SearchAnswer& answer) const;
  void operator()(search::ChunkAnswer& answer) const;
  void operator()(search::ReadAnswer& answer) const;
  void operator()(search::ListAnswer& answer) const;
  void operator()(search::WalkPage& page) const;
  void operator()(std::vector<store::SessionId>&) const {}  // numbers only
  void operator()(search::Facets& facets) const;
  void operator()(std::vector<search::ProjectRow>& rows) const;
  void operator()(StatusReport& report) const;
  void operator()(Stats& stats) const;
  void operator()(std::vector<Finding>& findings) const;
  void operator()(ingest::IndexReport& report) const;
  void operator()(Error& error) const;
  void operator()(Json& json) const;  // every text in it
  // For output only: what is masked in it leads nowhere any more.
  std::size_t operator()(store::SessionRow& session) const;
  void operator()(store::MarksOn& marks) const;
  // The number of secrets is in the turn as well.
  void operator()(turns::WholeTurn& turn) const;
  void operator()(std::vector<std::string>& texts) const;
  std::size_t operator()(std::string& text) const;
  // An assistant's answer, whose conclusion begins at a byte of it; so it does afterwards.
  std::size_t answer(std::string& text, std::size_t& conclusion_begin) const;
  [[nodiscard]] std::string text(std::string_view text) const;

  [[nodiscard]] bool on() const { return on_; }

 private:
  bool on_;
};

}  // namespace yore::service
