#include "setup/edit/entry.hpp"

#include "setup/edit/formats.hpp"

namespace yore::setup {
namespace {

const Editor& editor_of(Format format) {
  if (format == Format::toml) return kTomlEditor;
  return format == Format::yaml ? kYamlEditor : kJsonEditor;
}

Error no_safe_edit() {
  return {Errc::unsupported, "no edit was found that leaves everything else as it is"};
}

}  // namespace

bool is_same_place(const Entry& a, const Entry& b) {
  return a.keys == b.keys && a.listed == b.listed && a.name == b.name && a.mark == b.mark;
}

const Json* marked_text(const Json& value, std::string_view mark) {
  if (value.is_string()) {
    const bool holds = value.get_ref<const std::string&>().find(mark) != std::string::npos;
    return holds ? &value : nullptr;
  }
  if (!value.is_structured()) return nullptr;
  for (const Json& item : value) {
    if (const Json* found = marked_text(item, mark)) return found;
  }
  return nullptr;
}

Result<std::optional<Json>> find_entry(std::string_view bytes, const Entry& entry) {
  return editor_of(entry.format).find(bytes, entry);
}

Result<std::size_t> missing_parents(std::string_view bytes, const Entry& entry) {
  return editor_of(entry.format).missing(bytes, entry);
}

Result<Splices> insert_entry(std::string_view bytes, const Entry& entry) {
  const Editor& editor = editor_of(entry.format);
  auto splices = editor.insert(bytes, entry);
  if (!splices) return splices;
  const auto after = apply_splices(bytes, *splices);
  if (!after) return no_safe_edit();
  const auto found = editor.find(*after, entry);
  if (!found || *found != entry.value) return no_safe_edit();
  if (!editor.differ_by_entry(bytes, *after, entry)) return no_safe_edit();
  return splices;
}

Result<Splices> remove_entry(std::string_view bytes, const Entry& entry, std::size_t parents) {
  const Editor& editor = editor_of(entry.format);
  auto splices = editor.remove(bytes, entry, parents);
  if (!splices) return splices;
  const auto after = apply_splices(bytes, *splices);
  if (!after) return no_safe_edit();
  const auto found = editor.find(*after, entry);
  if (!found || found->has_value()) return no_safe_edit();
  if (!editor.differ_by_entry(*after, bytes, entry)) return no_safe_edit();
  return splices;
}

std::string entry_alone(const Entry& entry) {
  const auto splices = insert_entry("", entry);
  return splices ? apply_splices("", *splices).value_or("") : "";
}

}  // namespace yore::setup
