// yore for Python: include/yore/yore.hpp under the same names. What it is and does is told there
// and, for those who write Python, in yore/_yore.pyi.
#include <string>
#include <vector>

#include "convert.hpp"

namespace yore::python {
namespace {

using Texts = std::vector<std::string>;

Corpus open_corpus(std::string data_dir, const py::object& since, Texts projects, Texts agents,
                   std::size_t max_sessions, bool include_full, bool mask_secrets, Texts sources,
                   const py::object& source) {
  CorpusOptions options;
  options.data_dir = std::move(data_dir);
  options.since = time_of(since);
  options.projects = std::move(projects);
  options.agents = std::move(agents);
  options.max_sessions = max_sessions;
  options.include_full = include_full;
  options.mask_secrets = mask_secrets;
  options.sources = std::move(sources);
  options.source = source_of(source);
  return without_lock([&] { return Corpus::open(std::move(options)); });
}

SearchBy search_by(const std::string& name) {
  constexpr std::pair<const char*, SearchBy> kNames[] = {
      {"both", SearchBy::both}, {"words", SearchBy::words}, {"meaning", SearchBy::meaning}};
  for (const auto& [known, by] : kNames) {
    if (name == known) return by;
  }
  raise({Errc::invalid_argument, "by: want both, words or meaning, not '" + name + "'"});
}

// All fields of the struct as keywords; one that is none is a TypeError, as for any function.
class Keywords {
 public:
  Keywords(const char* function, const py::kwargs& given) : function_(function), left_(given) {}

  template <typename T>
  void take(const char* name, T& target) {
    if (const py::object value = pop(name)) target = value.cast<T>();
  }
  void take(const char* name, std::optional<TimePoint>& target) {
    if (const py::object value = pop(name)) target = time_of(value);
  }
  void take(const char* name, SearchBy& target) {
    if (const py::object value = pop(name)) target = search_by(value.cast<std::string>());
  }
  void done() const {
    for (const auto& [name, value] : left_) {
      throw py::type_error(std::string(function_) + "() got an unexpected keyword argument '" +
                           name.cast<std::string>() + "'");
    }
  }

 private:
  py::object pop(const char* name) {
    if (!left_.contains(name)) return {};
    py::object value = left_[name];
    PyDict_DelItemString(left_.ptr(), name);
    return value;
  }
  const char* function_;
  py::dict left_;
};

SearchResults search(const Corpus& corpus, std::string text, const py::kwargs& given) {
  SearchQuery query;
  query.text = std::move(text);
  Keywords keywords("search", given);
  keywords.take("surfaces", query.surfaces);
  keywords.take("limit", query.limit);
  keywords.take("by", query.by);
  keywords.take("projects", query.projects);
  keywords.take("exclude_projects", query.exclude_projects);
  keywords.take("agents", query.agents);
  keywords.take("since", query.since);
  keywords.take("until", query.until);
  keywords.take("session", query.session);
  keywords.take("branch", query.branch);
  keywords.take("model", query.model);
  keywords.take("file", query.file);
  keywords.take("tool", query.tool);
  keywords.take("has_tool", query.has_tool);
  keywords.take("newest_first", query.newest_first);
  keywords.take("half_life_days", query.half_life_days);
  keywords.take("per_session", query.per_session);
  keywords.take("include_subagents", query.include_subagents);
  keywords.take("include_automated", query.include_automated);
  keywords.take("facets", query.facets);
  keywords.done();
  return without_lock([&] { return corpus.search(query); });
}

SessionList list(const Corpus& corpus, const py::kwargs& given) {
  ListQuery query;
  Keywords keywords("list", given);
  keywords.take("projects", query.projects);
  keywords.take("agents", query.agents);
  keywords.take("since", query.since);
  keywords.take("until", query.until);
  keywords.take("include_subagents", query.include_subagents);
  keywords.take("include_automated", query.include_automated);
  keywords.take("limit", query.limit);
  keywords.take("offset", query.offset);
  keywords.done();
  return without_lock([&] { return corpus.list(query); });
}

TurnWalk turns(const Corpus& corpus, const py::kwargs& given) {
  TurnScope scope;
  Keywords keywords("turns", given);
  keywords.take("since", scope.since);
  keywords.take("until", scope.until);
  keywords.take("projects", scope.projects);
  keywords.take("agents", scope.agents);
  keywords.take("max_sessions", scope.max_sessions);
  keywords.take("include_full", scope.include_full);
  keywords.take("include_subagents", scope.include_subagents);
  keywords.take("include_automated", scope.include_automated);
  keywords.take("include_superseded", scope.include_superseded);
  keywords.done();
  return without_lock([&] { return corpus.turns(scope); });
}

TurnRecord next_turn(TurnWalk& walk) {
  auto next = without_lock([&] { return walk.next(); });
  if (!next) throw py::stop_iteration();
  return std::move(*next);
}

void define_corpus(py::module_& module) {
  py::class_<TurnWalk>(module, "TurnWalk",
                       "An iterator over turns; nothing is read before it is asked for.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &next_turn);
  py::class_<Corpus>(module, "Corpus", "All the transcripts that one scope lets through.")
      .def(py::init(&open_corpus), py::kw_only(), py::arg("data_dir") = "",
           py::arg("since") = py::none(), py::arg("projects") = Texts{},
           py::arg("agents") = Texts{}, py::arg("max_sessions") = 0,
           py::arg("include_full") = false, py::arg("mask_secrets") = true,
           py::arg("sources") = Texts{}, py::arg("source") = py::none(),
           "Reads no transcript; what was indexed before can be asked for at once.")
      .def(
          "refresh", [](Corpus& self) { return without_lock([&] { return self.refresh(); }); },
          "Reads what is new or has changed.")
      .def(
          "embed",
          [](Corpus& self, std::optional<std::size_t> max_passages) {
            return without_lock([&] { return self.embed(max_passages.value_or(SIZE_MAX)); });
          },
          py::arg("max_passages") = py::none(),
          "Makes passages searchable by meaning, newest first; how many are left to do.")
      .def("search", &search, py::arg("text"), "Turns that match, best first.")
      .def("list", &list, "Sessions, last active first.")
      .def(
          "read",
          [](const Corpus& self, const std::string& session_id, std::uint32_t offset,
             std::uint32_t limit) {
            return without_lock([&] { return self.read(session_id, offset, limit); });
          },
          py::arg("session_id"), py::arg("offset") = 0, py::arg("limit") = 10,
          "Turns of a session, by its id or the beginning of it.")
      .def("turns", &turns, "All turns, one after the other.");
}

}  // namespace
}  // namespace yore::python

PYBIND11_MODULE(_yore, module) {
  module.doc() = "What was asked and concluded in conversations with coding agents.";
  yore::python::define_errors(module);
  yore::python::define_source(module);
  yore::python::define_values(module);
  yore::python::define_corpus(module);
}
