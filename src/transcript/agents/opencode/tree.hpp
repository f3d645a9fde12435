// tree.hpp — what OpenCode wrote before it had a database: a file for each session,
// message and part.
//
//   <storage>/migration                                     a number, 2 is the newest known
//   <storage>/session/<project>/<session>.json
//   <storage>/message/<session>/<message>.json
//   <storage>/part/<message>/<part>.json
// and before that, with a storage folder per project:
//   <storage>/session/info/<session>.json
//   <storage>/session/message/<session>/<message>.json
//   <storage>/session/part/<session>/<message>/<part>.json
// Ids sort by time, so file names do. Messages are edited in place, but only the last ones of a
// session: the others are not looked at to see whether a session has changed.
#pragma once

#include <string>
#include <unordered_set>

#include "transcript/adapter.hpp"

namespace yore::transcript::opencode {

// Does this folder hold such a tree?
bool is_storage(const std::string& folder, const FileView& files);
// Adds the sessions below, except those whose ids are given.
void list_tree(const std::string& storage, const std::unordered_set<std::string>& except,
               const FileView& files, Listing& listing);

}  // namespace yore::transcript::opencode
