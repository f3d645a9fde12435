// corpus.hpp — generated transcripts in a place, as the machine of a busy user has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "place.hpp"

namespace yore::bench {

// Writes transcripts for about so many passages that are searched (about 11 session files, with
// those of sub-agents, for every 1,000); the same number gives the same bytes. Each file is as old
// as what was said last in it. Does nothing when the place has transcripts already. Returns their
// bytes.
std::uint64_t write_corpus(const Place& place, std::uint64_t passages);

// Transcripts of sessions, sorted by path.
std::vector<std::string> session_files(const Place& place, bool subagents);

// Words that were said in the place's conversations, `count` of them spread over its sessions.
// REQUIRES: the transcripts have been read.
std::vector<std::string> words_said(const Place& place, std::size_t count);

}  // namespace yore::bench
