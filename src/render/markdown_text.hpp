// markdown_text.hpp — conversations as Markdown for people to keep. Drawn anew from what was said:
// no HTML, no link but http, https and mailto, fences that hold what stands in them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "render/conversation.hpp"

namespace yore::render {

// "# Title", what is known of it, then every turn. So many lines are kept of what a tool printed.
std::string markdown_document(const Conversation& conversation, std::size_t output_lines);

// What was Markdown, as Markdown that does the same and nothing else.
std::string clean_markdown(std::string_view markdown);

// Text as it was typed: what could be taken for Markdown is behind a backslash.
std::string plain_as_markdown(std::string_view text);

}  // namespace yore::render
