// prompt_history.hpp — an agent's list of everything that was typed to it, one JSON object a line,
// over all its sessions: all that is left of those whose transcripts are gone.
//
// A session is listed once for each id in the list, as SessionContent::prompts; whether its
// transcript is still there is for the plan to find out. The list is a container: as long as it
// stands nothing of it is read. It is not looked at as a file (base/files/file_view.hpp): it grows
// with every prompt, and what is new in it stands in a transcript as well.
//
// Threads: any. Cost: one pass over the file for a listing, and another for the first session read
// of it; the last file that was read stays in memory.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

#include "transcript/adapter.hpp"

namespace yore::transcript {

struct HistoryLine {
  std::string session;  // "": the list does not say
  std::string text;
  std::string folder;  // in which it was typed; often ""
  Time time = kNoTime;
};

struct HistoryFormat {
  // False: not what a line should be.
  bool (*read_line)(simdjson::ondemand::object& object, HistoryLine& line);
  std::string (*id_of)(std::string_view session);
  // Of the prompts of a folder whose lines name no session; null: there are none.
  std::string (*id_of_folder)(std::string_view folder);
  std::string (*directory_of)(std::string_view folder);
};

// Adds the sessions of the list at `path`; none where there is no such file.
void list_prompts(const HistoryFormat& format, const std::string& path,
                  const PreviousListing& known, Listing& listing);

// As the functions of an adapter, for sessions of such a list.
Result<bool> prompts_resumable(const HistoryFormat& format, const SessionRef& session,
                               const Cursor& cursor);
Result<ReadStep> read_prompts(const HistoryFormat& format, const SessionRef& session,
                              const Cursor& cursor, RecordSink& sink);

// Do its lines name no session? Then a prompt may stand in a transcript after all.
bool is_of_folder(const SessionRef& session);

}  // namespace yore::transcript
