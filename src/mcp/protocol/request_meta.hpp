// request_meta.hpp — what clients put into params._meta beside the protocol's own fields. Unknown
// keys are passed over. Pure.
#pragma once

#include <optional>
#include <string>

#include "mcp/protocol/json.hpp"

namespace yore::mcp {

// The token to send progress with: a string or an integer, 0 and "" among them.
std::optional<Json> progress_token(const Json& params);
// The session the client says it calls from; "" when it does not say.
std::string caller_session(const Json& params);
// The model that called; "" when the client does not say.
std::string caller_model(const Json& params);
// The name of the client, in the params of initialize or in the `_meta` of a stateless request; "".
std::string client_name(const Json& params);

}  // namespace yore::mcp
