// convert.hpp — between Python's objects and the values of the library; for the files of the
// module.
//
// Times are datetimes with a zone, UTC where they come from here; one without a zone is local, as
// everywhere in Python. What fails is thrown as yore.Error or what is derived from it.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <yore/yore.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace yore::python {

namespace py = pybind11;

void define_errors(py::module_& module);
[[noreturn]] void raise(const Error& error);  // REQUIRES: the interpreter's lock is held

// The value, or the error as an exception.
template <typename T>
T value_or_raise(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}
// The same for what takes its time: other threads of Python run meanwhile.
template <typename Call>
auto without_lock(const Call& call) {
  auto result = [&] {
    const py::gil_scoped_release released;
    return call();
  }();
  return value_or_raise(std::move(result));
}

py::object to_python(const std::optional<TimePoint>& time);
std::optional<TimePoint> time_of(const py::object& object);

void define_values(py::module_& module);
void define_source(py::module_& module);
// Calls sessions() and read(id) of the object. What they raise becomes an Error.
std::shared_ptr<TranscriptSource> source_of(const py::object& object);

}  // namespace yore::python
