// search_box.hpp — what the tests of search and chunk share: sessions, and the search for them.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "e2e/sandbox.hpp"

namespace yore::e2e {

using Texts = std::vector<std::string>;
using Ordered = nlohmann::ordered_json;

inline constexpr const char* kThird = "3c4d5e6f-0000-4000-8000-000000000003";

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

inline Texts keys(const Ordered& json) {
  Texts names;
  for (const auto& [key, value] : json.items()) names.push_back(key);
  return names;
}

// Lines in the order in which they were made; the operands of + are made in any.
inline std::string together(std::initializer_list<std::string> lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

class SearchBox : public testing::Test {
 protected:
  // Three sessions: blog (feeds, long ago), shop (carts, with thinking and tools), shop again.
  void write_three() {
    fake::ClaudeLines blog(kFirst);
    blog.set_branch("feature/atom");
    box_.write_session(
        "blog", kFirst,
        together({blog.prompt("Why is the feed of the blog empty?"),
                  blog.tool_call("Read", {{"file_path", "/home/ann/code/blog/src/feed.py"}}),
                  blog.tool_result("def feed(): return walrus"),
                  blog.answer("The feed is empty because the query asks for drafts."),
                  blog.prompt("Then fix it, please."),
                  blog.answer("Fixed: only posts are asked for."), blog.prompt("Thanks!"),
                  blog.answer("You are welcome.")}));
    fake::ClaudeLines shop(kSecond, "/home/ann/code/shop");
    shop.set_time(from_ms(1'765'000'000'000));
    box_.write_session(
        "shop", kSecond,
        together({shop.prompt("Why is the cart empty?"), shop.thinking("Perhaps the zebra cookie."),
                  shop.tool_call("Bash", {{"command", "grep -r cookie src"}}),
                  shop.tool_result("src/cart.js: cookie maxAge is narwhal"),
                  shop.answer("The session cookie of the cart expired."),
                  shop.custom_title("Empty cart")}));
    fake::ClaudeLines third(kThird, "/home/ann/code/shop");
    third.set_time(from_ms(1'766'000'000'000));
    box_.write_session("shop", kThird,
                       together({third.prompt("Add a wishlist page"),
                                 third.answer("Added parseWishList and a page for it.")}));
  }

  // Ids of the sessions found, best first.
  Texts found(Texts args) {
    args.insert(args.begin(), {"--json", "search"});
    const auto json = box_.run(args).json();
    Texts ids;
    for (const auto& hit : json["results"]) ids.push_back(hit["session_id"]);
    return ids;
  }

  Sandbox box_;
};

}  // namespace yore::e2e
