#include "cli/commands/agents_table.hpp"

#include <gtest/gtest.h>

#include "base/files/file.hpp"

namespace yore::cli {
namespace {

TEST(AgentsTable, IsTheOneInTheReadme) {
  const auto readme = read_file(YORE_SOURCE_DIR "/README.md");
  ASSERT_TRUE(readme.ok());
  constexpr std::string_view kBegin = "<!-- agents:begin -->\n";
  const std::size_t begin = readme->find(kBegin);
  const std::size_t end = readme->find("<!-- agents:end -->");
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(readme->substr(begin + kBegin.size(), end - begin - kBegin.size()),
            agents_markdown(*transcript::built_in_agents()))
      << "put the output of `yore agents --markdown` between the two marks";
}

}  // namespace
}  // namespace yore::cli
