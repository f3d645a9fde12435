#include <array>
#include <string>

#include "convert.hpp"

namespace yore::python {
namespace {

struct Kind {
  Errc code;
  const char* name;
  const char* doc;
};
constexpr Kind kKinds[] = {
    {Errc::not_found, "NotFoundError", "What was named does not exist."},
    {Errc::ambiguous, "AmbiguousError", "The beginning of several ids; the hint lists them."},
    {Errc::corrupt, "CorruptError", "Bytes that cannot be what they claim to be."},
    {Errc::io, "StorageError", "The operating system, or a source of one's own, refused."},
    {Errc::invalid_argument, "InvalidArgumentError", "The caller's words are wrong."},
    {Errc::unsupported, "UnsupportedError",
     "A format that is not known, or a model that is absent."},
    {Errc::busy, "BusyError", "Another process keeps writing."},
    {Errc::cancelled, "CancelledError", "It was asked to stop."},
};

// By the value of the code. They live as long as the interpreter.
std::array<PyObject*, std::size(kKinds)> kinds{};

PyObject* new_exception(py::module_& module, const char* name, const char* doc, PyObject* bases) {
  PyObject* made =
      PyErr_NewExceptionWithDoc(("yore." + std::string(name)).c_str(), doc, bases, nullptr);
  if (made == nullptr) throw py::error_already_set();
  module.attr(name) = py::handle(made);
  return made;
}

}  // namespace

void define_errors(py::module_& module) {
  PyObject* base = new_exception(
      module, "Error",
      "What went wrong, in one sentence; `hint` says what to do, where that is known.",
      PyExc_Exception);
  for (const Kind& kind : kKinds) {
    const bool wrong_value = kind.code == Errc::invalid_argument;
    const py::tuple bases = wrong_value
                                ? py::make_tuple(py::handle(base), py::handle(PyExc_ValueError))
                                : py::make_tuple(py::handle(base));
    kinds.at(static_cast<std::size_t>(kind.code)) =
        new_exception(module, kind.name, kind.doc, bases.ptr());
  }
}

void raise(const Error& error) {
  const py::handle kind = kinds.at(static_cast<std::size_t>(error.code));
  const py::object made = kind(error.message);
  made.attr("hint") = error.hint;
  PyErr_SetObject(kind.ptr(), made.ptr());
  throw py::error_already_set();
}

}  // namespace yore::python
