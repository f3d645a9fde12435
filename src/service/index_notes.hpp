// index_notes.hpp — what is said about the index itself: not there, being built, built again.
// Every edge says it in these words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "service/keeper.hpp"

namespace yore::service {

inline constexpr std::string_view kNoIndexYet = "There is no index yet";  // the sentence goes on
inline constexpr std::string_view kReadingFirst = "No index yet, reading the transcripts first.";
inline constexpr std::string_view kWaitingForFirst =
    "No index yet, and another yore process is building it: waiting for its first part.";
inline constexpr std::string_view kBeingBuilt = "The index is being built.";
inline constexpr std::string_view kBuiltElsewhere = "Another yore process is building the index.";
inline constexpr std::string_view kNoTranscripts = "No transcripts were found on this machine.";
inline constexpr std::string_view kBuiltAgain =
    "The keyword index was damaged and was built again.";
inline constexpr std::string_view kBeingBuiltAgain =
    "The keyword index was damaged and is being built again";  // the sentence goes on

// not_found: "there is no index yet", and how to make one.
Error no_index_yet(std::string_view how);
// busy: somebody else is about to publish the first part of it.
Error being_built_elsewhere();

// "The index is still being built: 120 of 2,000 conversations so far."; "" when it is not.
std::string building_note(const std::optional<KeeperReport>& report);
// Why there is nothing to ask, where a keeper builds the index.
std::string absence_note(const std::optional<KeeperReport>& report, bool damaged);
// Somebody keeps the index, and found nothing to put into it.
bool nothing_to_keep(const std::optional<KeeperReport>& report);

}  // namespace yore::service
