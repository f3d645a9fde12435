#include "mcp/protocol/stdio_transport.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "text/utf8.hpp"

namespace yore::mcp {
namespace {

// Two ends of a pipe that close themselves.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) std::abort();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_read();
    close_write();
  }
  [[nodiscard]] int read_fd() const { return ends_[0]; }
  [[nodiscard]] int write_fd() const { return ends_[1]; }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }
  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(ends_[1], bytes.data(), bytes.size());
      if (count <= 0) std::abort();
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  // All until the other end is closed, or `size` bytes.
  [[nodiscard]] std::string read(std::size_t size = SIZE_MAX) const {
    std::string all;
    std::array<char, 4096> part{};
    while (all.size() < size) {
      const ssize_t count = ::read(ends_[0], part.data(), std::min(part.size(), size - all.size()));
      if (count <= 0) break;
      all.append(part.data(), static_cast<std::size_t>(count));
    }
    return all;
  }

 private:
  static void close(int& fd) {
    if (fd >= 0) ::close(std::exchange(fd, -1));
  }
  std::array<int, 2> ends_{-1, -1};
};

using Seen = std::vector<std::pair<Line::Kind, std::string>>;

Seen read_all(Transport& transport) {
  Seen seen;
  while (auto line = transport.next()) seen.emplace_back(line->kind, std::move(line->text));
  return seen;
}

// What next() should give for an input: the obvious way, with all of it at hand.
Seen lines_of(std::string_view input, std::size_t limit) {
  Seen seen;
  while (!input.empty()) {
    const std::size_t end = input.find('\n');
    const bool half = end == std::string_view::npos;
    std::string_view line = input.substr(0, end);
    input.remove_prefix(half ? input.size() : end + 1);
    if (!half && line.ends_with('\r')) line.remove_suffix(1);
    if (half && line.size() > limit) continue;
    if (line.size() > limit) {
      seen.emplace_back(Line::Kind::oversize, "");
    } else if (!text::trim(line).empty()) {
      seen.emplace_back(half ? Line::Kind::half : Line::Kind::whole, line);
    }
  }
  return seen;
}

TEST(StdioTransport, ReadsLinesAndPassesOverBlankOnes) {
  Pipe in;
  Pipe out;
  in.write("one\r\n\n \r\n\ttwo\nhalf");
  in.close_write();
  StdioTransport transport(in.read_fd(), out.write_fd());
  EXPECT_EQ(
      read_all(transport),
      (Seen{{Line::Kind::whole, "one"}, {Line::Kind::whole, "\ttwo"}, {Line::Kind::half, "half"}}));
  EXPECT_EQ(transport.next(), std::nullopt);
}

RC_GTEST_PROP(StdioTransport, GivesTheSameLinesHoweverTheyArrive, ()) {
  const auto piece = rc::gen::element<std::string>("a", "bc", "\n", "\r\n", "\r", " ", "\n\n");
  const auto parts = *rc::gen::container<std::vector<std::string>>(piece);
  constexpr std::size_t kLimit = 4;
  Pipe in;
  Pipe out;
  StdioTransport::Options options;
  options.max_line_bytes = kLimit;
  StdioTransport transport(in.read_fd(), out.write_fd(), options);
  std::string whole;
  // Parts arrive one by one or several at once, as the threads happen to run.
  std::thread writer([&] {
    for (const std::string& part : parts) {
      in.write(part);
      whole += part;
      std::this_thread::yield();
    }
    in.close_write();
  });
  const Seen seen = read_all(transport);
  writer.join();
  RC_ASSERT(seen == lines_of(whole, kLimit));
}

TEST(StdioTransport, SkipsALineOverTheLimitAndGoesOn) {
  Pipe in;
  Pipe out;
  StdioTransport::Options options;
  options.max_line_bytes = 1000;
  StdioTransport transport(in.read_fd(), out.write_fd(), options);
  std::thread writer([&] {
    in.write(std::string(1000, 'a') + "\r\n" + std::string(1001, 'b') + "\n");
    in.write(std::string(3'000'000, 'c'));
    in.write("\nafter\n" + std::string(2000, 'd'));
    in.close_write();
  });
  const auto first = transport.next();
  const auto second = transport.next();
  const auto third = transport.next();
  const auto fourth = transport.next();
  const auto fifth = transport.next();
  writer.join();
  EXPECT_EQ(first->text, std::string(1000, 'a'));
  EXPECT_EQ(second->kind, Line::Kind::oversize);
  EXPECT_EQ(second->limit_bytes, 1000U);
  EXPECT_EQ(third->kind, Line::Kind::oversize);
  EXPECT_EQ(fourth->text, "after");
  EXPECT_EQ(fifth, std::nullopt);
}

TEST(StdioTransport, SendsWholeLines) {
  Pipe in;
  Pipe out;
  {
    StdioTransport transport(in.read_fd(), out.write_fd());
    EXPECT_TRUE(transport.send("one"));
    EXPECT_TRUE(transport.send("two"));
  }
  out.close_write();
  EXPECT_EQ(out.read(), "one\ntwo\n");
}

TEST(StdioTransport, NeverWaitsForAPeerThatDoesNotRead) {
  Pipe in;
  Pipe out;
  StdioTransport transport(in.read_fd(), out.write_fd());
  // Far more than the pipe holds, sent by the thread that would have to read on.
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    const std::string line(10'000, static_cast<char>('a' + i % 26));
    EXPECT_TRUE(transport.send(line));
    expected += line + "\n";
  }
  in.write("ping\n");
  EXPECT_EQ(transport.next()->text, "ping");
  // The rest goes out while next() waits.
  std::string got;
  std::thread peer([&] {
    got = out.read(expected.size());
    in.close_write();
  });
  EXPECT_EQ(transport.next(), std::nullopt);
  peer.join();
  EXPECT_EQ(got, expected);
}

TEST(StdioTransport, StopsReadingWhileTooMuchIsUnsent) {
  Pipe in;
  Pipe out;
  StdioTransport::Options options;
  options.max_kept_bytes = 1000;
  std::optional<StdioTransport> transport(std::in_place, in.read_fd(), out.write_fd(), options);
  const std::string line(500'000, 'x');
  EXPECT_TRUE(transport->send(line));
  in.write("next\n");
  std::atomic<bool> caught_up = false;
  std::string got;
  std::thread peer([&] {
    got = out.read(line.size() - 70'000);
    caught_up = true;
    got += out.read(line.size() + 1 - got.size());
  });
  EXPECT_EQ(transport->next()->text, "next");
  EXPECT_TRUE(caught_up);
  transport.reset();  // writes the little that may be left
  peer.join();
  EXPECT_EQ(got, line + "\n");
}

TEST(StdioTransport, WritesWhatIsLeftBeforeItGoes) {
  Pipe in;
  Pipe out;
  const std::string line(1'000'000, 'x');
  std::string got;
  std::thread peer;
  {
    StdioTransport transport(in.read_fd(), out.write_fd());
    EXPECT_TRUE(transport.send(line));
    peer = std::thread([&] { got = out.read(line.size() + 1); });
  }
  peer.join();
  EXPECT_EQ(got, line + "\n");
}

TEST(StdioTransport, KeepsLinesOfManyThreadsApart) {
  Pipe in;
  Pipe out;
  std::string got;
  std::thread peer([&] { got = out.read(); });
  {
    StdioTransport transport(in.read_fd(), out.write_fd());
    std::vector<std::thread> threads;
    for (char name = 'a'; name < 'e'; ++name) {
      threads.emplace_back([&transport, name] {
        for (int i = 0; i < 50; ++i) transport.send(std::string(9000, name));
      });
    }
    std::thread reader([&] { read_all(transport); });
    for (std::thread& thread : threads) thread.join();
    in.close_write();
    reader.join();
  }
  out.close_write();
  peer.join();
  EXPECT_EQ(got.size(), 200U * 9001U);
  for (std::size_t at = 0; at < got.size(); at += 9001) {
    EXPECT_EQ(got.substr(at, 9001), std::string(9000, got[at]) + "\n");
  }
}

TEST(StdioTransport, TellsWhenThePeerIsGone) {
  Pipe in;
  Pipe out;
  StdioTransport transport(in.read_fd(), out.write_fd());
  out.close_read();
  EXPECT_FALSE(transport.send("x"));
  EXPECT_FALSE(transport.send("y"));
  EXPECT_EQ(transport.next(), std::nullopt);
}

TEST(StdioTransport, NoticesAPeerThatGoesWhileItWaits) {
  Pipe in;
  Pipe out;
  StdioTransport transport(in.read_fd(), out.write_fd());
  std::thread peer([&] { out.close_read(); });
  EXPECT_EQ(transport.next(), std::nullopt);
  peer.join();
}

TEST(StdioTransport, EndsWhenItIsClosed) {
  Pipe in;
  Pipe out;
  StdioTransport transport(in.read_fd(), out.write_fd());
  std::thread other([&] { transport.close(); });
  EXPECT_EQ(transport.next(), std::nullopt);
  other.join();
  in.write("more\n");
  EXPECT_EQ(transport.next(), std::nullopt);
}

TEST(StdioTransport, EndsWhenAskedToStop) {
  Pipe in;
  Pipe out;
  Pipe stop;
  StdioTransport::Options options;
  options.stop_fd = stop.read_fd();
  StdioTransport transport(in.read_fd(), out.write_fd(), options);
  std::thread other([&] { stop.write("x"); });
  EXPECT_EQ(transport.next(), std::nullopt);
  other.join();
}

TEST(StdioTransport, WorksOverSockets) {
  std::array<int, 2> ends{-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const std::string line(2'000'000, 'x');
  std::string got;
  std::thread peer([&] {
    ASSERT_EQ(::write(ends[1], "hello\n", 6), 6);
    std::array<char, 65536> part{};
    while (got.size() <= line.size()) {
      const ssize_t count = ::read(ends[1], part.data(), part.size());
      if (count <= 0) break;
      got.append(part.data(), static_cast<std::size_t>(count));
    }
    ::close(ends[1]);
  });
  StdioTransport transport(ends[0], ends[0]);
  EXPECT_EQ(transport.next()->text, "hello");
  EXPECT_TRUE(transport.send(line));
  EXPECT_EQ(transport.next(), std::nullopt);
  peer.join();
  EXPECT_EQ(got, line + "\n");
  ::close(ends[0]);
}

TEST(ClaimStdout, KeepsPrintsOutOfTheProtocol) {
  Pipe out;
  Pipe err;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::dup2(out.write_fd(), STDOUT_FILENO);
    ::dup2(err.write_fd(), STDERR_FILENO);
    const auto claimed = claim_stdout();
    bool fine = claimed.ok() && *claimed > STDERR_FILENO;
    fine = fine && (::fcntl(*claimed, F_GETFD) & FD_CLOEXEC) != 0;
    fine = fine && ::write(STDOUT_FILENO, "noise", 5) == 5;
    fine = fine && ::write(*claimed, "line\n", 5) == 5;
    ::_exit(fine ? 0 : 1);
  }
  out.close_write();
  err.close_write();
  EXPECT_EQ(out.read(), "line\n");
  EXPECT_EQ(err.read(), "noise");
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace yore::mcp
