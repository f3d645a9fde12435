#include "service/doctor_wiring.hpp"

#include <string>
#include <utility>

#include "setup/wiring.hpp"

namespace yore::service {
namespace {

using Level = Finding::Level;

Finding about_setup(Level level, std::string message, std::string what_to_do = "") {
  return {level, "setup", std::move(message), std::move(what_to_do), false, false};
}

void examine_servers(const config::World& world, const setup::Ledger& ledger,
                     std::vector<Finding>& findings) {
  std::string wired;
  for (const setup::Wired& each : setup::look_at_wiring(world, ledger, {})) {
    if (ledger.find(each.path) == nullptr) continue;
    const std::string where = each.display + " (" + each.path + ")";
    if (each.wiring == setup::Wiring::ours) {
      wired += (wired.empty() ? "" : ", ") + each.display;
    } else if (each.wiring == setup::Wiring::moved) {
      findings.push_back(about_setup(
          Level::problem, where + " starts " + each.command[0] + ", which is not there any more",
          "yore setup"));
    } else {
      findings.push_back(about_setup(
          Level::note,
          where + " no longer starts yore: " + std::string(setup::wiring_name(each.wiring)),
          "yore setup, or yore setup --undo " + each.agent));
    }
  }
  if (!wired.empty()) {
    findings.push_back(about_setup(Level::ok, "yore is wired into " + wired));
  }
}

void examine_hooks(const config::World& world, const setup::Ledger& ledger,
                   std::vector<Finding>& findings) {
  std::string reminded;
  for (const setup::HookState& each : setup::look_at_hooks(world, ledger)) {
    const std::string where = "the hooks of " + each.display + " (" + each.path + ")";
    if (!each.there) {
      findings.push_back(
          about_setup(Level::note, where + " are gone", "yore setup --recall " + each.agent));
    } else if (!each.works) {
      findings.push_back(about_setup(
          Level::problem, where + " start " + each.command + ", which is not there any more",
          "yore setup"));
    } else {
      reminded += (reminded.empty() ? "" : ", ") + each.display;
      if (each.remark.empty()) continue;
      findings.push_back(about_setup(Level::note, where + ": " + each.remark));
    }
  }
  if (!reminded.empty()) findings.push_back(about_setup(Level::ok, "hooks remind " + reminded));
}

}  // namespace

std::vector<Finding> examine_wiring(const config::World& world, const config::Settings& settings) {
  std::vector<Finding> findings;
  const auto ledger = setup::load_ledger(settings.data_dir, *world.files);
  if (!ledger) {
    findings.push_back(about_setup(Level::problem, ledger.error().message, ledger.error().hint));
    return findings;
  }
  examine_servers(world, *ledger, findings);
  examine_hooks(world, *ledger, findings);
  return findings;
}

}  // namespace yore::service
