#include "transcript/spec/like_spec.hpp"

#include <algorithm>

#include "transcript/spec/built_in_specs.hpp"
#include "transcript/spec/spec_toml.hpp"

namespace yore::transcript {

Result<AgentSpec> described_agent(std::string_view name) {
  for (const BuiltInSpec& spec : built_in_specs()) {
    if (spec.head.texts.name == name) return parse_agent(spec.text, spec.file);
  }
  return Error{Errc::not_found, "no description of '" + std::string(name) + "'"};
}

AgentSpec without_own_parts(const AgentSpec& other) {
  AgentSpec spec = other;
  const AgentSpec none;
  for (std::string AgentSpec::*text :
       {&AgentSpec::name, &AgentSpec::display_name, &AgentSpec::speaker, &AgentSpec::formats}) {
    (spec.*text).clear();
  }
  spec.verified = none.verified;
  spec.reading = none.reading;
  spec.directory = none.directory;
  spec.roots.clear();
  spec.resume.clear();
  spec.fields.clear();
  spec.silent.clear();
  spec.records.clear();
  spec.typed.clear();
  spec.tools.clear();
  return spec;
}

void add_rules(const AgentSpec& other, AgentSpec& spec) {
  const auto reads = [fields = spec.fields](const std::string& path) {
    return std::ranges::find(fields, path, &FieldRule::path) != fields.end();
  };
  const auto ignores = [silent = spec.silent](const std::string& path) {
    return std::ranges::find(silent, path) != silent.end();
  };
  const auto shows = [tools = spec.tools](const std::string& tool) {
    return std::ranges::find(tools, tool, &ToolArgument::tool) != tools.end();
  };
  for (const FieldRule& field : other.fields) {
    if (!reads(field.path) && !ignores(field.path)) spec.fields.push_back(field);
  }
  for (const std::string& path : other.silent) {
    if (!reads(path) && !ignores(path)) spec.silent.push_back(path);
  }
  for (const ToolArgument& tool : other.tools) {
    if (!shows(tool.tool)) spec.tools.push_back(tool);
  }
  spec.records.insert(spec.records.end(), other.records.begin(), other.records.end());
  spec.typed.insert(spec.typed.end(), other.typed.begin(), other.typed.end());
}

}  // namespace yore::transcript
