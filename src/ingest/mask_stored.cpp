#include "ingest/mask_stored.hpp"

#include "base/trace.hpp"
#include "ingest/forget.hpp"
#include "store/masking.hpp"
#include "store/upkeep.hpp"
#include "text/secrets/secrets.hpp"

namespace yore::ingest {
namespace {

// Rises when the detectors find more: what is stored is then looked at again.
constexpr int kMaskingVersion = 1;

}  // namespace

Result<std::string> mask_what_is_stored(const config::World& world,
                                        const config::Settings& settings, store::Store& store,
                                        const std::atomic<bool>& cancel) {
  const auto masked = store::is_masked(store, kMaskingVersion);
  if (!masked) return masked.error();
  if (settings.mask != config::MaskMode::index) {
    const Status status = *masked ? store::set_unmasked(store) : Status{};
    return status ? Result<std::string>(std::string()) : status.error();
  }
  if (*masked) return std::string();
  const TraceStep step("mask what is stored");
  Status status = store::overwrite_removed(store);
  if (!status) return status.error();
  const auto changed = store::mask_all(
      store, [](std::string& text) { return text::mask_secrets(text) > 0; }, cancel);
  if (!changed) return changed.error();
  // Also when this run changed nothing: an earlier one may have been ended here.
  status = store::squeeze_out(store);
  for (const Holder& holder : holders_of_text()) {
    if (!holder.derived || !status) continue;
    status = holder.remove(world, settings, {}, cancel);
  }
  if (status) status = store::set_masked(store, kMaskingVersion);
  if (!status) return status.error();
  if (*changed == 0) return std::string();
  return "Secrets were masked in what is stored of " + std::to_string(*changed) +
         (*changed == 1 ? " session." : " sessions.");
}

}  // namespace yore::ingest
