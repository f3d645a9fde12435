// protocol_revision.hpp — which protocol revision a request is served in, and what that revision
// knows.
//
// Two eras live side by side on one connection. A modern request carries its revision in `_meta`
// and depends on nothing before it; a legacy request is served in the revision that `initialize`
// settled. The choice is made for each request anew.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "mcp/protocol/message.hpp"

namespace yore::mcp {

enum class Revision : std::uint8_t {
  v2024_11_05,
  v2025_03_26,
  v2025_06_18,
  v2025_11_25,
  v2026_07_28,
};
inline constexpr std::array kAllRevisions = {Revision::v2024_11_05, Revision::v2025_03_26,
                                             Revision::v2025_06_18, Revision::v2025_11_25,
                                             Revision::v2026_07_28};
inline constexpr Revision kNewestLegacy = Revision::v2025_11_25;

// What a revision allows, as far as it touches us.
struct Features {
  std::string_view name;
  bool stateless;         // no initialize, no ping; version and capabilities in every request
  bool batches;           // several messages in one array
  bool annotations;       // on tools
  bool titles_and_meta;   // `title` and `_meta` on tools, `title` on the server
  bool progress_message;  // `message` beside the number
  bool id_may_be_absent;  // in the answer to something whose id is not known
};
const Features& features(Revision revision);

class Era {
 public:
  // The revision to serve the request in, or why it cannot be served.
  [[nodiscard]] std::variant<Revision, RpcError> of(const Request& request) const;
  // initialize: the asked version when we know it, else our newest; in force from now on.
  Revision negotiate(std::string_view asked);
  // What initialize settled, if it was ever called.
  [[nodiscard]] std::optional<Revision> legacy() const { return legacy_; }

 private:
  std::optional<Revision> legacy_;
};

// What server/discover names, and the error about any other version: the modern revisions only.
Json supported_versions();

// Whether a client may keep a result for a while.
enum class Keep : std::uint8_t { no, a_while };
// Adds what every result of a stateless revision carries; leaves the others alone.
void decorate(Json& result, Revision revision, const Json& server_info, Keep keep);

}  // namespace yore::mcp
