// result.hpp — failure is a value.
//
// A function that can fail returns Result<T>: either the value or an Error that names, in one
// sentence, what went wrong and with which file or field. Status is the Result of a function that
// has nothing to return. Exceptions never leave a module; programmer errors are assert().
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace yore {

enum class Errc : std::uint8_t {
  not_found,         // the thing named does not exist
  ambiguous,         // a prefix that names several things
  corrupt,           // bytes that cannot be what they claim to be
  io,                // the operating system refused
  invalid_argument,  // the caller's words are wrong
  unsupported,       // a format or schema version we do not know
  busy,              // somebody else holds the lock
  cancelled,         // asked to stop
};

struct Error {
  Errc code = Errc::io;
  std::string message;    // one sentence; names the file or field
  std::string hint = {};  // what to do about it, when that is known
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // REQUIRES: ok()
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // REQUIRES: !ok()
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

  [[nodiscard]] T value_or(T fallback) && {
    return ok() ? std::move(*this).value() : std::move(fallback);
  }

 private:
  std::variant<T, Error> state_;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const {
    assert(error_);
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace yore
