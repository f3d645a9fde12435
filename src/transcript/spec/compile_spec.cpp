// compile_spec.cpp — a description made ready for reading.
#include <algorithm>

#include "transcript/spec/record_reader.hpp"

namespace yore::transcript {

Result<std::unique_ptr<const CompiledSpec>> compile(AgentSpec spec) {
  auto compiled = std::make_unique<CompiledSpec>();
  compiled->spec = std::move(spec);
  const AgentSpec& kept = compiled->spec;
  auto fields = FieldTrie::make(kept.fields, kept.silent, kept.record_name);
  if (!fields) return fields.error();
  auto head = FieldTrie::make(kept.head.fields, {"*"}, kept.record_name);
  if (!head) return head.error();
  compiled->fields = std::move(*fields);
  compiled->head = std::move(*head);
  for (const BesideRule& rule : kept.beside) {
    auto beside = FieldTrie::make(rule.fields, {"*"}, kept.record_name);
    if (!beside) return beside.error();
    compiled->beside.push_back(std::move(*beside));
  }
  for (const ToolArgument& argument : kept.tools) {
    ToolRule rule{argument.tool, argument.shown, {}, argument.max_chars};
    for (std::size_t i = 0; i < std::min(argument.names.size(), rule.names.size()); ++i) {
      rule.names[i] = argument.names[i];
    }
    compiled->tools.push_back(rule);
  }
  return std::unique_ptr<const CompiledSpec>(std::move(compiled));
}

}  // namespace yore::transcript
