// finders.hpp — the parts of text/secrets/secrets.cpp: one function for each way a secret shows.
#pragma once

#include <string_view>
#include <vector>

#include "text/secrets/secrets.hpp"
#include "text/secrets/starters.hpp"

namespace yore::text {

// Nothing that belongs to the same word stands before it: no letter and no digit, unless that is
// the end of an escape (\n, \t, \u003d).
bool begins_word(std::string_view text, std::size_t at);

// Each adds what it finds to `out`.
// Tokens of known looks in a run, with what may stand before and behind it.
void find_tokens(std::string_view text, const TokenRun& run, std::vector<Secret>& out);
// A token that begins shortly before the end of the text and is cut there.
void find_cut_token(std::string_view text, std::vector<Secret>& out);
// A value given to a name that holds the word at `word`: password = "…", --token …, "apiKey": "…".
void find_assignment(std::string_view text, std::size_t word, TextEnd end,
                     std::vector<Secret>& out);
// A private key block whose line holds the word KEY at `word`, first line or last.
void find_key_block(std::string_view text, std::size_t word, std::vector<Secret>& out);
// Credentials of a URL whose "://" stands at `colon`.
void find_url_credentials(std::string_view text, std::size_t colon, TextEnd end,
                          std::vector<Secret>& out);
// "Bearer …" or "Basic …" with that word at `word`.
void find_authorization(std::string_view text, std::size_t word, TextEnd end,
                        std::vector<Secret>& out);

}  // namespace yore::text
