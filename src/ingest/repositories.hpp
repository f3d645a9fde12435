// repositories.hpp — which folders are checkouts of one repository, so that a project that was
// renamed, moved or cloned keeps one name.
//
// A folder is known by the address of its remote, without what a login would need: what the
// transcript recorded, or what .git/config says while the folder is there. It is remembered when
// the folder has gone. A folder inside a checkout is another one than the checkout itself.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace yore::ingest {

// "git@github.com:Ann/shop.git", "https://ann:token@github.com/ann/shop" and "ann/shop" give
// "ann/shop", other hosts stay: "git.example.org/ann/shop". A path stays as it is. "" for what is
// no address.
std::string canonical_repository(std::string_view address);
// The address of "origin", else of the first remote, in the text of a .git/config; "" without one.
std::string remote_in(std::string_view git_config);

// May the disk that holds this path be touched?
using MayLook = std::function<bool(const std::string& path)>;

// Keys of folders. One lives as long as a run.
class RepositoryFinder {
 public:
  using Known = std::map<std::string, std::string, std::less<>>;

  RepositoryFinder(Known known, MayLook may_look)
      : known_(std::move(known)), may_look_(std::move(may_look)) {}

  // "ann/shop", "ann/shop//web" inside it; "" when nothing is known.
  const std::string& key_of(const std::string& folder);

 private:
  [[nodiscard]] std::string look(const std::string& folder) const;

  Known known_;
  MayLook may_look_;
  Known keys_;
};

// A folder that was worked in, what it is called by itself, and since when.
struct Checkout {
  std::string path;
  std::string key;
  std::string name;
  Time first = kNoTime;
};
// One name for each key that several folders have: what the repository is called when one of them
// is called so, else that of the folder which came last.
std::map<std::string, std::string, std::less<>> names_of_repositories(
    const std::vector<Checkout>& checkouts);

}  // namespace yore::ingest
