// formats.hpp — the three editors behind entry.hpp. Each function is the one of the same name
// there, for one family of formats, without the last check.
#pragma once

#include "setup/edit/entry.hpp"

namespace yore::setup {

struct Editor {
  Result<std::optional<Json>> (*find)(std::string_view bytes, const Entry& entry);
  Result<std::size_t> (*missing)(std::string_view bytes, const Entry& entry);
  Result<Splices> (*insert)(std::string_view bytes, const Entry& entry);
  Result<Splices> (*remove)(std::string_view bytes, const Entry& entry, std::size_t parents);
  // Does `more` say what `less` says, and beside it nothing but the entry and keys above it? The
  // twin of all edits: it compares what the two texts mean.
  bool (*differ_by_entry)(std::string_view less, std::string_view more, const Entry& entry);
};

extern const Editor kJsonEditor;
extern const Editor kTomlEditor;
extern const Editor kYamlEditor;

// What the keys lead to, or what stands in their way.
inline Error no_place(std::string_view key, std::string_view wanted) {
  return {Errc::unsupported, "'" + std::string(key) + "' is not " + std::string(wanted) +
                                 " that an entry can be added to"};
}
inline Error twice(std::string_view key) {
  return {Errc::unsupported, "'" + std::string(key) + "' stands there twice"};
}

}  // namespace yore::setup
