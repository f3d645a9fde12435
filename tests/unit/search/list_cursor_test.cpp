#include "search/list_cursor.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace yore::search {
namespace {

RC_GTEST_PROP(ListCursor, ComesBackAsItWas, (std::int64_t ms, std::string uid)) {
  const ListPlace place{from_ms(ms), uid};
  const auto parsed = parse_cursor(cursor_text(place));
  RC_ASSERT(parsed.ok());
  RC_ASSERT(*parsed == place);
}

RC_GTEST_PROP(ListCursor, IsRefusedWithAnyByteChanged, (std::string uid)) {
  std::string text = cursor_text({from_ms(1'760'000'000'000), uid});
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = static_cast<char>(text[at] ^ 1);
  const auto parsed = parse_cursor(text);
  RC_ASSERT(!parsed.ok());
  RC_ASSERT(parsed.error().code == Errc::invalid_argument);
}

TEST(ListCursor, IsRefusedWhenItIsSomethingElse) {
  for (const char* text : {"", "2", "abc", "00000000", "00000000.", "00000000.1.a", "........."}) {
    EXPECT_FALSE(parse_cursor(text).ok()) << text;
  }
}

}  // namespace
}  // namespace yore::search
