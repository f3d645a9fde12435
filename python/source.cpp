// Stores of conversations that a program brings along.
#include <string>
#include <vector>

#include "convert.hpp"

namespace yore::python {
namespace {

class PythonSource final : public TranscriptSource {
 public:
  explicit PythonSource(const py::object& object)
      : object_(new py::object(object), [](py::object* last) {
          // The last refresh() may end in a thread that Python does not know.
          const py::gil_scoped_acquire lock;
          delete last;
        }) {}

  Result<std::vector<SourceSession>> sessions() override {
    return ask<std::vector<SourceSession>>([&] { return object_->attr("sessions")(); });
  }
  Result<std::vector<SourceTurn>> read(const std::string& id) override {
    return ask<std::vector<SourceTurn>>([&] { return object_->attr("read")(id); });
  }

 private:
  template <typename List, typename Call>
  Result<List> ask(const Call& call) {
    const py::gil_scoped_acquire lock;
    try {
      List list;
      for (const py::handle each : call()) {  // any iterable
        list.push_back(each.cast<typename List::value_type>());
      }
      return list;
    } catch (const std::exception& problem) {
      return Error{Errc::io, std::string("the transcript source raised ") + problem.what()};
    }
  }

  std::shared_ptr<py::object> object_;  // shared with nobody: for its way to be deleted
};

void define_tokens(py::module_& module) {
  py::class_<Tokens>(module, "Tokens", "What a model has read and written, as its agent counts it.")
      .def(py::init([](std::uint64_t input, std::uint64_t output, std::uint64_t cache_read,
                       std::uint64_t cache_write) {
             return Tokens{input, output, cache_read, cache_write};
           }),
           py::arg("input") = 0, py::arg("output") = 0, py::arg("cache_read") = 0,
           py::arg("cache_write") = 0)
      .def_readonly("input", &Tokens::input)
      .def_readonly("output", &Tokens::output)
      .def_readonly("cache_read", &Tokens::cache_read)
      .def_readonly("cache_write", &Tokens::cache_write)
      .def(
          "__eq__", [](const Tokens& a, const Tokens& b) { return a == b; }, py::is_operator())
      .def("__repr__", [](const Tokens& self) {
        return py::str("Tokens(input={}, output={}, cache_read={}, cache_write={})")
            .format(self.input, self.output, self.cache_read, self.cache_write);
      });
}

void define_tool(py::module_& module) {
  py::class_<SourceTool>(module, "SourceTool", "A tool that the assistant used.")
      .def(py::init([](std::string name, std::string input, std::string file, std::string output) {
             return SourceTool{std::move(name), std::move(input), std::move(file),
                               std::move(output)};
           }),
           py::arg("name"), py::arg("input") = "", py::arg("file") = "", py::arg("output") = "")
      .def_readwrite("name", &SourceTool::name)
      .def_readwrite("input", &SourceTool::input)
      .def_readwrite("file", &SourceTool::file)
      .def_readwrite("output", &SourceTool::output);
}

void define_turn(py::module_& module) {
  py::class_<SourceTurn>(module, "SourceTurn",
                         "One message of the user and what the assistant made of it.")
      .def(py::init([](std::string user_prompt, std::vector<std::string> assistant_text,
                       std::string thinking, std::vector<SourceTool> tools, const py::object& time,
                       std::string model, std::string branch, std::optional<Tokens> tokens) {
             return SourceTurn{std::move(user_prompt), std::move(assistant_text),
                               std::move(thinking),    std::move(tools),
                               time_of(time),          std::move(model),
                               std::move(branch),      tokens};
           }),
           py::arg("user_prompt") = "", py::arg("assistant_text") = std::vector<std::string>{},
           py::kw_only(), py::arg("thinking") = "", py::arg("tools") = std::vector<SourceTool>{},
           py::arg("time") = py::none(), py::arg("model") = "", py::arg("branch") = "",
           py::arg("tokens") = py::none())
      .def_readwrite("user_prompt", &SourceTurn::user_prompt)
      .def_readwrite("assistant_text", &SourceTurn::assistant_text)
      .def_readwrite("thinking", &SourceTurn::thinking)
      .def_readwrite("tools", &SourceTurn::tools)
      .def_property(
          "time", [](const SourceTurn& self) { return to_python(self.time); },
          [](SourceTurn& self, const py::object& time) { self.time = time_of(time); })
      .def_readwrite("model", &SourceTurn::model)
      .def_readwrite("branch", &SourceTurn::branch)
      .def_readwrite("tokens", &SourceTurn::tokens);
}

void define_session(py::module_& module) {
  py::class_<SourceSession>(module, "SourceSession",
                            "What a source says of a conversation without reading it.")
      .def(py::init([](std::string id, std::string project, std::string project_path,
                       std::string title, std::string agent, std::string version) {
             return SourceSession{std::move(id),    std::move(project), std::move(project_path),
                                  std::move(title), std::move(agent),   std::move(version)};
           }),
           py::arg("id"), py::kw_only(), py::arg("project") = "", py::arg("project_path") = "",
           py::arg("title") = "", py::arg("agent") = "library", py::arg("version") = "")
      .def_readwrite("id", &SourceSession::id)
      .def_readwrite("project", &SourceSession::project)
      .def_readwrite("project_path", &SourceSession::project_path)
      .def_readwrite("title", &SourceSession::title)
      .def_readwrite("agent", &SourceSession::agent)
      .def_readwrite("version", &SourceSession::version);
}

}  // namespace

std::shared_ptr<TranscriptSource> source_of(const py::object& object) {
  if (object.is_none()) return nullptr;
  for (const char* name : {"sessions", "read"}) {
    if (py::hasattr(object, name)) continue;
    raise({Errc::invalid_argument, "source: want an object with sessions() and read(id)"});
  }
  return std::make_shared<PythonSource>(object);
}

void define_source(py::module_& module) {
  define_tokens(module);
  define_tool(module);
  define_turn(module);
  define_session(module);
}

}  // namespace yore::python
