// openclaw_session.hpp — one OpenClaw session as JSON lines of session version 3.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "generator/output.hpp"
#include "generator/project.hpp"
#include "generator/text_maker.hpp"

namespace yore::generator {

enum class OpenClawFate : std::uint8_t { live, reset, deleted };

struct OpenClawPlan {
  std::string directory;  // ".../agents/<name>/sessions"
  std::int64_t start_ms = 0;
  std::uint32_t turns = 1;
  std::uint32_t size_permille = 1000;
  std::uint64_t budget_bytes = 0;
  OpenClawFate fate = OpenClawFate::live;
  bool with_copies = false;  // leaves a checkpoint and a backup beside the transcript
};

struct OpenClawReport {
  std::string id;
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;
  std::uint64_t bytes = 0;
  std::uint32_t files = 0;
  std::uint32_t turns = 0;
};

Result<OpenClawReport> write_openclaw_session(Rng& rng, TextMaker& text, const Project& project,
                                              Output& output, const OpenClawPlan& plan);

}  // namespace yore::generator
