// html.hpp — conversations as HTML that needs nothing else: no script, no picture, no other file.
//
// A fragment is what stands in a page; a document is a page of its own, light or dark as its reader
// has it. Everything out of a transcript is escaped; links lead to http, https and mailto only and
// always show where.
#pragma once

#include <string>
#include <string_view>

#include "render/conversation.hpp"

namespace yore::render {

// "a < b" as "a &lt; b", safe in text and between quotes; control characters are gone.
std::string html_escaped(std::string_view text);

// Answers, Markdown as HTML.
std::string html_markdown(std::string_view markdown);

// Code with its pieces in <span class="k">: k keyword, s string, n number, c comment, a added,
// r removed, p place.
std::string html_code(std::string_view code, std::string_view language);

// <article class="turn" id="turn-3">…</article>; tools, thoughts and notes fold (<details>).
std::string html_turn(const Turn& turn, std::string_view assistant);

// <header>…</header> and the turns.
std::string html_fragment(const Conversation& conversation);

// The style that fragments are made for.
std::string_view html_style();

// A page around a fragment.
std::string html_document(std::string_view title, std::string_view fragment);

}  // namespace yore::render
