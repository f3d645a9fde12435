// set_files.hpp — the files behind a set, for those who load and change it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/files/mapped_file.hpp"
#include "vector/block.hpp"
#include "vector/manifest.hpp"
#include "vector/row_table.hpp"
#include "vector/vector_set.hpp"

namespace yore::vector {

struct VectorSet::Files {
  Manifest manifest;
  std::map<FileNumber, std::shared_ptr<const MappedFile>> open;
  std::vector<Block> blocks;  // by row; all but those of the log are sorted
  std::size_t sealed = 0;     // how many of them are not in the log
  // Places of names in the log, counted from its first row.
  std::shared_ptr<const RowTable> in_log = std::make_shared<RowTable>();
};

}  // namespace yore::vector
