// skill.hpp — the text that teaches an agent when to search its history, and when not.
#pragma once

#include <string_view>

namespace yore::setup {

// SKILL.md. Only name and description are loaded before it is used: the phrases that call for it
// stand there.
std::string_view skill_text();

}  // namespace yore::setup
