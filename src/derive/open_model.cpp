#include "derive/open_model.hpp"

#include "base/files/file.hpp"

namespace yore::derive {

Result<std::shared_ptr<const semantic::ModelFile>> open_model(const config::World& world) {
  std::string named = world.env("YORE_MODEL").value_or("");
  named = expand_home(named, config::home_directory(world.env));
  const auto places = semantic::places_of_model(named, world.program, YORE_MODELS_DIR);
  const auto path = semantic::find_model(places);
  if (!path) return path.error();
  auto model = semantic::ModelFile::open(*path);
  if (!model) return model.error();
  return std::make_shared<const semantic::ModelFile>(std::move(*model));
}

}  // namespace yore::derive
