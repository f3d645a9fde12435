// Whole conversations: drawn on a terminal, through a pager, exported; and what other programs make
// of completions and manual pages.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

namespace fs = std::filesystem;

// In two pieces: nothing that looks like one stands in the tree.
const std::string kToken = std::string("ghp_") + "R4nd0mT0kenThatLooksRealAbcdef123456";

std::string text_of(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Both streams of a shell's line; its exit code.
Ran shell(const std::string& line) {
  Ran ran;
  FILE* pipe = ::popen(("{ " + line + "\n} 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t size; (size = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    ran.out.append(buffer.data(), size);
  }
  ran.code = WEXITSTATUS(::pclose(pipe));
  return ran;
}

bool is_there(const std::string& program) {
  return shell("command -v " + program).code == 0;
}

class Export : public testing::Test {
 protected:
  Export() {
    fake::ClaudeLines lines(kFirst, "/home/ann/code/blog");
    // One after the other: each record answers the one before.
    std::string text = lines.prompt("Why is <b>the feed</b> slow?");
    text += lines.thinking("Perhaps the *proxy*.");
    text += lines.tool_call("Bash", {{"command", "curl -i localhost/feed"}});
    text += lines.tool_result("HTTP/1.1 200 OK\nX-Token: " + kToken);
    text += lines.tool_call("Edit", {{"file_path", "/home/ann/code/blog/feed.py"},
                                     {"old_string", "limit = 100"},
                                     {"new_string", "limit = 10"}});
    text += lines.tool_result("edited");
    text += lines.answer(
        "## Found\n\nIt reads **100** posts. [x](javascript:alert(1))\n\n"
        "```python\nlimit = 10\n```");
    text += lines.prompt("3");
    text += lines.answer("Three it is.");
    box_.write_session("blog", kFirst, text);
    fake::ClaudeLines other(kSecond, "/home/ann/code/shop");
    std::string cart = other.prompt("Empty cart?");
    cart += other.answer("A cookie.");
    box_.write_session("shop", kSecond, cart);
  }
  // The only file with this ending in a folder of home.
  std::string only(const std::string& folder, const std::string& ending) {
    std::string found;
    for (const auto& entry : fs::directory_iterator(box_.in_home(folder))) {
      if (entry.path().extension() == ending) found = entry.path().string();
    }
    return found;
  }
  // A program that a test needs and a machine may lack.
  std::string script(const std::string& name, const std::string& command) {
    return box_.write(box_.in_home(name), box_.run({"completions", command}).out);
  }
  Sandbox box_;
};

TEST_F(Export, WritesAPageOfItsOwnThatOnlyItsOwnerReads) {
  const Ran ran = box_.run({"export", kFirst, "--format", "html", "--out", "pages"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "1 session exported, 1 secret masked.")) << ran.err;
  const std::string path = only("pages", ".html");
  ASSERT_NE(path, "");
  EXPECT_TRUE(path.ends_with("-blog-1a2b3c4d.html")) << path;
  struct stat seen {};
  ASSERT_EQ(::stat(path.c_str(), &seen), 0);
  EXPECT_EQ(seen.st_mode & 0777U, 0600U);
  const std::string page = text_of(path);
  EXPECT_TRUE(has(page, "&lt;b&gt;the feed&lt;/b&gt;"));
  EXPECT_TRUE(has(page, "<details class=\"tool\"><summary><b>Bash</b>"));
  EXPECT_TRUE(has(page, "<span class=\"r\">-limit = 100</span>")) << page;
  EXPECT_TRUE(has(page, "prefers-color-scheme: dark"));
  EXPECT_FALSE(has(page, kToken));
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "href=\"javascript"));
}

TEST_F(Export, ReplacesNothingSilently) {
  ASSERT_EQ(box_.run({"export", kFirst, "-o", "kept"}).code, 0);
  const std::string path = only("kept", ".md");
  box_.write(path, "mine");
  const Ran again = box_.run({"export", kFirst, "-o", "kept"});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(has(again.err, "exists already.")) << again.err;
  EXPECT_TRUE(has(again.err, "--force"));
  EXPECT_EQ(text_of(path), "mine");
  EXPECT_EQ(box_.run({"export", kFirst, "-o", "kept", "--force"}).code, 0);
  EXPECT_TRUE(text_of(path).starts_with("# Why is \\<b>the feed\\</b> slow?\n"));
}

TEST_F(Export, TakesManyByFilters) {
  const Ran all = box_.run({"export", "--since", "20y", "--format", "json", "-o", "all", "--json"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(all.json()["files"].size(), 2U);
  EXPECT_EQ(all.json()["masked"], 0) << "nothing of a tool's output is in it";
  const Ran shop = box_.run({"export", "-p", "shop", "-o", "shop"});
  EXPECT_TRUE(has(shop.out, "-shop-2b3c4d5e.md")) << shop.out;
  EXPECT_EQ(only("shop", ".md").find("blog"), std::string::npos);
  EXPECT_EQ(box_.run({"export", "-x", "shop", "-x", "blog", "-o", "none"}).code, 1);
  EXPECT_EQ(box_.run({"export", "-p", "nothing", "-o", "none"}).code, 1);
}

TEST_F(Export, SaysWhatIsMissing) {
  const Ran none = box_.run({"export"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "SESSION is missing")) << none.err;
  const Ran many = box_.run({"export", kFirst, kSecond});
  EXPECT_EQ(many.code, 2);
  EXPECT_TRUE(has(many.err, "2 sessions need a folder")) << many.err;
  EXPECT_EQ(box_.run({"export", "ffffffff"}).code, 1);
  const Ran wrong = box_.run({"export", kFirst, "--format", "pdf"});
  EXPECT_EQ(wrong.code, 2);
  const Ran nowhere = box_.run({"export", kFirst, "--out", "/proc/nowhere"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_EQ(std::count(nowhere.err.begin(), nowhere.err.end(), '\n'), 1) << nowhere.err;
}

TEST_F(Export, PrintsOneOnStandardOutput) {
  const Ran md = box_.run({"export", kFirst});
  EXPECT_EQ(md.code, 0);
  EXPECT_TRUE(has(md.out, "\n```python\nlimit = 10\n```\n")) << md.out;
  EXPECT_TRUE(has(md.out, "x (javascript:alert(1))")) << md.out;
  EXPECT_TRUE(has(md.out, "X-Token: [masked:")) << md.out;
  EXPECT_TRUE(has(md.err, "1 secret masked."));
  const Ran txt = box_.run({"export", kFirst, "--format", "txt", "--focused"});
  EXPECT_TRUE(has(txt.out, "• 2 tool calls: Bash, Edit\n")) << txt.out;
  EXPECT_FALSE(has(txt.out, "\x1b"));
  EXPECT_EQ(box_.run({"export", kFirst, "--json"}).json()["turns"].size(), 2U);
}

TEST_F(Export, ShowsWhatPeopleMarked) {
  ASSERT_EQ(box_.run({"list"}).code, 0);
  ASSERT_EQ(box_.run({"tag", kFirst, "wip"}).code, 0);
  EXPECT_TRUE(has(box_.run({"export", kFirst, "--format", "html"}).out, "<dd>#wip</dd>"));
  ASSERT_EQ(box_.run({"star", kFirst, "--turn", "1"}).code, 0);
  const std::string shown = box_.run_on_terminal({"show", kFirst}, 80).out;
  EXPECT_TRUE(has(shown, "#wip")) << shown;
  EXPECT_TRUE(has(shown, " · ★ ──")) << shown;
}

TEST_F(Export, ATerminalShowsMarkdownAndTools) {
  const std::string shown = box_.run_on_terminal({"show", kFirst}, 80).out;
  EXPECT_TRUE(has(shown, "\x1b[1;36mFound\x1b[0m")) << shown;
  EXPECT_TRUE(has(shown, "Bash\x1b[2m curl -i localhost/feed  (2 lines)\x1b[0m")) << shown;
  EXPECT_FALSE(has(shown, "HTTP/1.1 200 OK"));
  EXPECT_TRUE(has(box_.run_on_terminal({"show", kFirst, "--unfold"}, 80).out, "HTTP/1.1 200 OK"));
  const std::string focused = box_.run_on_terminal({"show", kFirst, "--focused"}, 80).out;
  EXPECT_TRUE(has(focused, "2 tool calls: Bash, Edit")) << focused;
  // A pipe gets the words as they are.
  const std::string piped = box_.run({"show", kFirst}).out;
  EXPECT_TRUE(has(piped, "  ## Found\n")) << piped;
  const std::string chunk = box_.run({"search", "feed", "--json"}).json()["results"][0]["chunk_id"];
  EXPECT_TRUE(has(box_.run_on_terminal({"chunk", chunk}, 80).out, "-limit = 100"));
}

TEST_F(Export, LongOutputGoesThroughThePager) {
  box_.set_env("PAGER", "sed s/^/PAGED:/");
  const auto shown = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"show", kFirst, "--unfold"};
    words.insert(words.end(), more.begin(), more.end());
    return box_.run_on_terminal(words, 60);
  };
  EXPECT_TRUE(has(shown({}).out, "PAGED:")) << shown({}).out;
  EXPECT_FALSE(has(shown({"--no-pager"}).out, "PAGED:"));
  EXPECT_FALSE(has(box_.run_on_terminal({"list"}, 60).out, "PAGED:")) << "it fits";
  EXPECT_FALSE(has(box_.run({"show", kFirst, "--unfold"}).out, "PAGED:")) << "no terminal";
  box_.set_env("PAGER", "head -n 1");
  const Ran left = shown({});
  EXPECT_EQ(left.code, 0) << "leaving early is no failure";
  EXPECT_FALSE(has(left.out, "yore:")) << left.out;
  box_.set_env("PAGER", "no-such-pager");
  EXPECT_TRUE(has(shown({}).out, "You:"));
}

TEST_F(Export, SourcesAreLinksWhereTheTerminalFollowsThem) {
  box_.set_env("VTE_VERSION", "7200");
  EXPECT_TRUE(has(box_.run_on_terminal({"show", kFirst}, 80).out, "\x1b]8;;file:///")) << "VTE";
  box_.set_env("FORCE_HYPERLINK", "0");
  EXPECT_FALSE(has(box_.run_on_terminal({"show", kFirst}, 80).out, "\x1b]8;;"));
}

TEST_F(Export, AHitShowsWhatStandsBesideItAndATitleWhereItsPromptSaysLittle) {
  const Ran ran = box_.run({"search", "Three", "-p", "blog"});
  EXPECT_TRUE(has(ran.out, "Project: blog · Why is <b>the feed</b> slow? | ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "  ↑ You: Why is <b>the feed</b> slow?\n  You: 3\n")) << ran.out;
  const auto hit = box_.run({"search", "Three", "-p", "blog", "--json"}).json()["results"][0];
  EXPECT_EQ(hit["context"]["before"]["prompt"], "Why is <b>the feed</b> slow?");
  EXPECT_EQ(hit["context"]["before"]["turn_number"], 0);
  const auto first =
      box_.run({"search", "proxy feed slow", "-p", "blog", "--json"}).json()["results"][0];
  EXPECT_EQ(first["context"]["after"]["conclusion"], "Three it is.");
}

TEST_F(Export, BashCompletesCommandsFlagsAndValues) {
  const std::string path = script("yore.bash", "bash");
  const auto completed = [&](const std::string& words) {
    return shell("bash -c 'source " + path + "; COMP_WORDS=(" + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _yore; echo ${COMPREPLY[@]}'")
        .out;
  };
  EXPECT_TRUE(has(completed("yore sea"), "search"));
  EXPECT_EQ(completed("yore search --per"), "--per-session\n");
  EXPECT_EQ(completed("yore search --mode k"), "keyword\n");
  EXPECT_EQ(completed("yore export -f h"), "html\n");
  EXPECT_EQ(completed("yore completions f"), "fish\n");
  EXPECT_EQ(completed("yore list --no-p"), "--no-pager\n");
}

TEST_F(Export, ZshTakesItsCompletions) {
  if (!is_there("zsh")) GTEST_SKIP() << "there is no zsh";
  const std::string path = script("_yore", "zsh");
  const Ran ran = shell("zsh -f -c 'autoload -Uz compinit; compinit -D; source " + path +
                        "; echo ${_comps[yore]}'");
  EXPECT_EQ(ran.out, "_yore\n");
  EXPECT_TRUE(has(text_of(path), "'*--mode[hybrid"));
}

TEST_F(Export, FishCompletesCommandsFlagsAndValues) {
  if (!is_there("fish")) GTEST_SKIP() << "there is no fish";
  const std::string path = script("yore.fish", "fish");
  const auto completed = [&](const std::string& line) {
    return shell("HOME=" + box_.home() + " fish --no-config -c 'source " + path +
                 "; complete -C \"" + line + "\"'")
        .out;
  };
  EXPECT_TRUE(has(completed("yore sea"), "search\tfind what was said, best first"));
  EXPECT_TRUE(has(completed("yore search --per"), "--per-session"));
  EXPECT_TRUE(has(completed("yore search --mode k"), "keyword"));
  EXPECT_TRUE(has(completed("yore completions z"), "zsh"));
}

TEST_F(Export, ManualPagesAreClean) {
  const Ran ran = box_.run({"man", "--out", "man1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(fs::exists(box_.in_home("man1/yore-search.1")));
  EXPECT_TRUE(has(box_.run({"man", "export"}).out, ".Fl \\-out Ar DIR") ||
              has(box_.run({"man", "export"}).out, "Fl \\-out Ar DIR"));
  EXPECT_EQ(box_.run({"man", "nothing"}).code, 1);
  if (!is_there("mandoc")) GTEST_SKIP() << "there is no mandoc";
  const Ran lint = shell("cd " + box_.in_home("man1") + " && mandoc -Tlint *.1");
  EXPECT_EQ(lint.out, "");
  EXPECT_EQ(lint.code, 0);
}

TEST_F(Export, EveryCommandShowsItsFlagsAndExamplesInItsHelp) {
  const std::string help = box_.run({"search", "--help"}).out;
  EXPECT_TRUE(has(help, "\nExamples:\n  yore search ")) << help;
  EXPECT_TRUE(has(box_.run({"--help"}).out, "  export SESSION..."));
}

}  // namespace
}  // namespace yore::e2e
