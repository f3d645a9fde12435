// What comes back from the library: values that are read and never written.
#include <pybind11/stl.h>

#include <chrono>
#include <cmath>

#include <string>

#include "convert.hpp"

namespace yore::python {
namespace {

// A class whose fields are those of the C++ struct, under the same names.
template <typename T>
class Fields {
 public:
  Fields(py::module_& module, const char* name, const char* doc)
      : class_(module, name, doc), name_(name) {}

  template <typename Field>
  Fields& with(const char* name, Field T::*field) {
    class_.def_readonly(name, field);
    return *this;
  }
  Fields& with(const char* name, std::optional<TimePoint> T::*field) {
    class_.def_property_readonly(name, [field](const T& self) { return to_python(self.*field); });
    return *this;
  }
  // Of the fields by which one tells them apart.
  template <typename... Names>
  void shown_by(Names... names) {
    const std::vector<std::string> shown = {names...};
    class_.def("__repr__", [shown, name = name_](const py::object& self) {
      std::string text = name + "(";
      for (const std::string& field : shown) {
        const std::string value = py::repr(self.attr(field.c_str())).cast<std::string>();
        text += (text.ends_with('(') ? "" : ", ") + field + "=" + value;
      }
      return text + ")";
    });
  }

 private:
  py::class_<T> class_;
  std::string name_;
};

void define_facets(py::module_& module) {
  Fields<FacetValue>(module, "FacetValue", "How many turns share a value.")
      .with("value", &FacetValue::value)
      .with("count", &FacetValue::count)
      .shown_by("value", "count");
  Fields<HistogramBar>(module, "HistogramBar", "One bar of a histogram over time.")
      .with("first", &HistogramBar::first)
      .with("until", &HistogramBar::until)
      .with("count", &HistogramBar::count)
      .shown_by("first", "until", "count");
  Fields<Facets>(module, "Facets", "All that a search has found, counted.")
      .with("matched", &Facets::matched)
      .with("agents", &Facets::agents)
      .with("projects", &Facets::projects)
      .with("branches", &Facets::branches)
      .with("models", &Facets::models)
      .with("tools", &Facets::tools)
      .with("types", &Facets::types)
      .with("times", &Facets::times)
      .with("machines", &Facets::machines)
      .with("starred", &Facets::starred)
      .with("histogram_unit", &Facets::histogram_unit)
      .with("histogram", &Facets::histogram)
      .with("undated", &Facets::undated)
      .shown_by("matched");
}

void define_reports(py::module_& module) {
  Fields<Coverage>(module, "Coverage", "How much of what is there can be found.")
      .with("sessions_known", &Coverage::sessions_known)
      .with("sessions_indexed", &Coverage::sessions_indexed)
      .with("behind_bytes", &Coverage::behind_bytes)
      .with("passages", &Coverage::passages)
      .with("passages_embedded", &Coverage::passages_embedded)
      .shown_by("sessions_known", "sessions_indexed", "passages");
  Fields<RefreshReport>(module, "RefreshReport", "What a refresh() has done.")
      .with("sessions_known", &RefreshReport::sessions_known)
      .with("sessions_read", &RefreshReport::sessions_read)
      .with("sessions_removed", &RefreshReport::sessions_removed)
      .with("sessions_behind", &RefreshReport::sessions_behind)
      .with("behind_bytes", &RefreshReport::behind_bytes)
      .with("notes", &RefreshReport::notes)
      .shown_by("sessions_known", "sessions_read");
}

void define_search(py::module_& module) {
  Fields<SearchHit>(module, "SearchHit", "A turn that was found.")
      .with("score", &SearchHit::score)
      .with("session_id", &SearchHit::session_id)
      .with("turn_number", &SearchHit::turn_number)
      .with("chunk_id", &SearchHit::chunk_id)
      .with("agent", &SearchHit::agent)
      .with("project", &SearchHit::project)
      .with("title", &SearchHit::title)
      .with("time", &SearchHit::time)
      .with("surfaces", &SearchHit::surfaces)
      .with("snippet", &SearchHit::snippet)
      .with("matches", &SearchHit::matches)
      .with("user_prompt", &SearchHit::user_prompt)
      .with("assistant_summary", &SearchHit::assistant_summary)
      .with("assistant_full", &SearchHit::assistant_full)
      .with("copies", &SearchHit::copies)
      .with("abandoned", &SearchHit::abandoned)
      .with("source_missing", &SearchHit::source_missing)
      .with("superseded", &SearchHit::superseded)
      .shown_by("session_id", "turn_number", "snippet");
  Fields<SearchResults>(module, "SearchResults", "The answer of search().")
      .with("hits", &SearchResults::hits)
      .with("closest", &SearchResults::closest)
      .with("more", &SearchResults::more)
      .with("hidden_subagents", &SearchResults::hidden_subagents)
      .with("hidden_automated", &SearchResults::hidden_automated)
      .with("notes", &SearchResults::notes)
      .with("facets", &SearchResults::facets)
      .with("coverage", &SearchResults::coverage)
      .shown_by("hits", "more");
}

void define_reading(py::module_& module) {
  Fields<SessionInfo>(module, "SessionInfo", "What is known of a session without reading it.")
      .with("id", &SessionInfo::id)
      .with("parent_id", &SessionInfo::parent_id)
      .with("agent", &SessionInfo::agent)
      .with("project", &SessionInfo::project)
      .with("project_path", &SessionInfo::project_path)
      .with("title", &SessionInfo::title)
      .with("branch", &SessionInfo::branch)
      .with("model", &SessionInfo::model)
      .with("first_time", &SessionInfo::first_time)
      .with("last_time", &SessionInfo::last_time)
      .with("turn_count", &SessionInfo::turn_count)
      .with("source_missing", &SessionInfo::source_missing)
      .shown_by("id", "project", "title");
  Fields<SessionList>(module, "SessionList", "A page of sessions, last active first.")
      .with("sessions", &SessionList::sessions)
      .with("more", &SessionList::more)
      .shown_by("sessions", "more");
  Fields<Turn>(module, "Turn", "A turn, to be read.")
      .with("number", &Turn::number)
      .with("time", &Turn::time)
      .with("user_text", &Turn::user_text)
      .with("assistant_text", &Turn::assistant_text)
      .with("tools_used", &Turn::tools_used)
      .with("abandoned", &Turn::abandoned)
      .shown_by("number", "user_text");
  Fields<Conversation>(module, "Conversation", "A session, or a part of it.")
      .with("session", &Conversation::session)
      .with("total_turns", &Conversation::total_turns)
      .with("turns", &Conversation::turns)
      .shown_by("session", "total_turns");
}

void define_walk(py::module_& module) {
  Fields<TurnMetadata>(module, "TurnMetadata", "What is known of a turn beside its text.")
      .with("session_id", &TurnMetadata::session_id)
      .with("turn_number", &TurnMetadata::turn_number)
      .with("parent_session_id", &TurnMetadata::parent_session_id)
      .with("agent", &TurnMetadata::agent)
      .with("project", &TurnMetadata::project)
      .with("project_path", &TurnMetadata::project_path)
      .with("title", &TurnMetadata::title)
      .with("branch", &TurnMetadata::branch)
      .with("model", &TurnMetadata::model)
      .with("time", &TurnMetadata::time)
      .with("last_time", &TurnMetadata::last_time)
      .with("has_tool_use", &TurnMetadata::has_tool_use)
      .with("tokens", &TurnMetadata::tokens)
      .with("origin", &TurnMetadata::origin)
      .with("abandoned", &TurnMetadata::abandoned)
      .with("automated", &TurnMetadata::automated)
      .with("superseded", &TurnMetadata::superseded)
      .with("source_missing", &TurnMetadata::source_missing)
      .shown_by("session_id", "turn_number", "project");
  Fields<TurnRecord>(module, "TurnRecord", "A turn, to be taken along.")
      .with("id", &TurnRecord::id)
      .with("user_prompt", &TurnRecord::user_prompt)
      .with("assistant_summary", &TurnRecord::assistant_summary)
      .with("assistant_full", &TurnRecord::assistant_full)
      .with("metadata", &TurnRecord::metadata)
      .with("content_hash", &TurnRecord::content_hash)
      .shown_by("id", "user_prompt");
}

}  // namespace

py::object to_python(const std::optional<TimePoint>& time) {
  if (!time) return py::none();
  const py::module_ datetime = py::module_::import("datetime");
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time->time_since_epoch());
  const py::object epoch =
      datetime.attr("datetime")(1970, 1, 1, 0, 0, 0, 0, datetime.attr("timezone").attr("utc"));
  return epoch + datetime.attr("timedelta")(py::arg("milliseconds") = ms.count());
}

std::optional<TimePoint> time_of(const py::object& object) {
  if (object.is_none()) return std::nullopt;
  const py::object type = py::module_::import("datetime").attr("datetime");
  if (!py::isinstance(object, type)) throw py::type_error("want a datetime.datetime or None");
  const auto seconds = object.attr("timestamp")().cast<double>();
  return TimePoint{std::chrono::milliseconds{std::llround(seconds * 1000)}};
}

void define_values(py::module_& module) {
  define_facets(module);
  define_reports(module);
  define_search(module);
  define_reading(module);
  define_walk(module);
}

}  // namespace yore::python
