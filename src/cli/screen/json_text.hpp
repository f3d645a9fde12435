// json_text.hpp — JSON as it is printed: valid UTF-8, and safe on a terminal.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "service/answers.hpp"

namespace yore::cli {

// Indented, with a newline at the end. Beyond what JSON demands, DEL, the C1 controls and the marks
// that reorder or hide text are written as \u escapes; invalid UTF-8 becomes U+FFFD.
std::string json_text(const service::Json& json);

void print_json(const Context& context, service::Json json);

}  // namespace yore::cli
