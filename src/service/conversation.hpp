// conversation.hpp — a session that was read, as what can be drawn (render/conversation.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "render/conversation.hpp"
#include "search/reader.hpp"
#include "transcript/adapter.hpp"

namespace yore::service {

// "★", the name, "#tag": each by itself.
std::vector<std::string> marks_text(const store::MarksOn& marks);

// Its title and what is known of it: agent, project, folder, branch, model, time, turns, id,
// source.
render::Heading heading_of(const search::ReadAnswer& answer,
                           const transcript::AgentRegistry& agents);

// All that was read. REQUIRES: `answer` is masked, and was read with its parts where they are to be
// seen.
render::Conversation conversation_of(const search::ReadAnswer& answer,
                                     const transcript::AgentRegistry& agents, render::View view);

// Secrets that are not shown in its turns.
std::size_t masked_in(const search::ReadAnswer& answer);

}  // namespace yore::service
