// coding_set.hpp — sessions of several agents in invented projects, with judged questions.
//
// The data and what it means are in bench/coding; its README describes the files.
#pragma once

#include <string>

#include "datasets.hpp"
#include "place.hpp"

namespace yore::bench {

// `folder` is bench/coding: *.sessions, kinds.tsv and questions.tsv. corrupt, with the file,
// for anything that is not as the README says, a gold turn that does not exist included.
Result<Collection> load_coding_set(const std::string& folder);

// Does the store of `place` hold every document, with exactly its turns and what was said in them?
// corrupt names the first that it does not.
Status check_turns(const Collection& collection, const Place& place);

}  // namespace yore::bench
