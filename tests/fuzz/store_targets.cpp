// What yore itself keeps: packs, the state of reading, the scan cache, cursors, settings.
#include <cstring>

#include "archive/backup_file.hpp"
#include "archive/entry.hpp"
#include "archive/packed.hpp"
#include "base/bytes.hpp"
#include "base/layout.hpp"
#include "config/settings.hpp"
#include "fuzz/target.hpp"
#include "ingest/scan_cache.hpp"
#include "ingest/scan_cache_layout.hpp"
#include "search/list_cursor.hpp"
#include "store/pack.hpp"
#include "support/temp_dir.hpp"
#include "transcript/record.hpp"
#include "turns/session_builder.hpp"
#include "turns/tracker.hpp"
#include "turns/turn_codec.hpp"

namespace yore::fuzz {
namespace {

using transcript::Record;
using transcript::RecordKind;
using turns::Passage;
using turns::SessionBuilder;

std::vector<Passage> some_passages() {
  std::vector<Passage> passages(3);
  passages[0].text = "why does the build fail";
  passages[1].text = "because a header is missing";
  passages[1].turn = 1;
  passages[2].surface = turns::Surface::tool;
  passages[2].text = std::string(300, 'x');
  return passages;
}
std::vector<std::string> pack_seeds() {
  std::vector<std::string> seeds;
  for (auto& pack : store::PackEncoder().encode(some_passages())) {
    seeds.push_back(std::move(pack.bytes));
  }
  return seeds;
}
// What was decoded can be packed and decoded again.
void pack(std::string_view bytes) {
  const auto passages = store::decode_pack(bytes);
  if (!passages) return;
  std::size_t count = 0;
  for (const auto& each : store::PackEncoder().encode(*passages)) {
    const auto again = store::decode_pack(each.bytes);
    check(again.ok() && again->size() == each.count);
    count += again->size();
  }
  check(count == passages->size());
}

void feed(SessionBuilder& builder) {
  constexpr struct {
    RecordKind kind;
    std::string_view key;
    std::string_view parent;
    std::string_view text;
  } kRecords[] = {{RecordKind::prompt, "k1", "", "a question"},
                  {RecordKind::assistant, "k2", "k1", "an answer"},
                  {RecordKind::queued_prompt, "k3", "k2", "one more"},
                  {RecordKind::prompt, "k4", "k1", "another question"}};
  for (const auto& [kind, key, parent, text] : kRecords) {
    transcript::Block block;
    block.text = text;
    Record record;
    record.kind = kind;
    record.key = key;
    record.parent_key = parent;
    record.blocks = {&block, 1};
    builder.record(record);
  }
}

// The state of reading: 2 bytes say how much of the input are keys.
std::vector<std::string> reading_state_seeds() {
  SessionBuilder builder;
  feed(builder);
  const turns::Delta delta = builder.take();
  const auto size = static_cast<unsigned>(delta.new_keys.size());
  std::string seed;
  seed.push_back(static_cast<char>(size & 0xFF));
  seed.push_back(static_cast<char>(size >> 8));
  return {seed + delta.new_keys + delta.state};
}
// Damaged state is refused, or reading goes on from it and can be saved again.
void reading_state(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const std::size_t size = static_cast<unsigned char>(bytes[0]) +
                           (std::size_t{static_cast<unsigned char>(bytes[1])} << 8);
  bytes.remove_prefix(2);
  const std::string_view keys = bytes.substr(0, size);
  const std::string_view state = bytes.substr(keys.size());
  (void)turns::TurnTracker::restore(state, keys).ok();
  auto builder = SessionBuilder::restore(state, keys);
  if (!builder) return;
  feed(*builder);
  const turns::Delta delta = builder->take();
  check(SessionBuilder::restore(delta.state, std::string(keys) + delta.new_keys).ok());
}

// Reading what was written gives the same bytes.
void turn_state(std::string_view bytes) {
  ByteReader in(bytes);
  const turns::Turn turn = turns::read_turn(in);
  const turns::SessionFacts facts = turns::read_facts(in);
  if (!in.ok()) return;
  ByteWriter once;
  turns::write_turn(once, turn);
  turns::write_facts(once, facts);
  ByteReader again(once.bytes());
  ByteWriter twice;
  turns::write_turn(twice, turns::read_turn(again));
  turns::write_facts(twice, turns::read_facts(again));
  check(again.at_end() && once.bytes() == twice.bytes());
}
std::vector<std::string> turn_state_seeds() {
  ByteWriter out;
  turns::Turn turn;
  turn.model = "m-1";
  turn.branch = "main";
  turns::write_turn(out, turn);
  turns::write_facts(out, {});
  return {out.take()};
}

std::vector<std::string> scan_cache_seeds() {
  namespace files = ingest::files;
  const std::string_view paths("/a\0/a/b.jsonl\0", 14);
  files::Header header;
  header.rows = 2;
  header.root_bytes = 3;
  header.path_bytes = paths.size();
  std::string out;
  LayoutWriter writer(out);
  writer.value(header);
  files::Row row;
  row.path_size = 2;
  row.kind = files::directory;
  row.leader = ingest::ScanCache::kAlone;
  writer.value(row);
  row.path_at = 3;
  row.path_size = 10;
  row.kind = files::regular;
  writer.value(row);
  writer.bytes(std::string_view("/a\0", 3));
  writer.bytes(paths);
  return {out};
}
// With the hashes it must have; then whatever it says can be looked at.
void scan_cache(std::string_view bytes) {
  namespace files = ingest::files;
  std::string sealed(bytes);
  LayoutReader reader(bytes);
  auto header = reader.value<files::Header>();
  const std::string_view rows =
      reader.bytes(header.rows < 1000 ? header.rows * sizeof(files::Row) : 0);
  const std::string_view roots = reader.bytes(header.root_bytes);
  const std::string_view paths = reader.bytes(header.path_bytes);
  if (reader.ok()) {
    header.hash = files::hash_of(header, roots, paths);
    std::memcpy(sealed.data(), &header, sizeof header);
    for (std::size_t at = 0; at < rows.size(); at += sizeof(files::Row)) {
      files::Row row;
      std::memcpy(&row, rows.data() + at, sizeof row);
      row.check = row.checksum(header.hash);
      std::memcpy(sealed.data() + sizeof header + at, &row, sizeof row);
    }
  }
  const std::string data_dir = scratch_directory() + "/data";
  const std::string path = ingest::ScanCache::path(data_dir);
  write_scratch(path.substr(scratch_directory().size() + 1), sealed);
  const auto loaded = ingest::ScanCache::load(data_dir);
  if (!loaded) return;
  for (std::size_t i = 0; i < loaded->size(); ++i) (void)loaded->path_of(i).size();
  check(loaded->followers() <= loaded->size());
  (void)loaded->directories();
}

// A cursor that is taken is one that was made.
void list_cursor(std::string_view bytes) {
  const auto place = search::parse_cursor(bytes);
  if (place) check(search::cursor_text(*place) == bytes);
  const std::string made = search::cursor_text({from_ms(1), std::string(bytes)});
  const auto back = search::parse_cursor(made);
  check(back.ok() && back->uid == bytes && back->last_time == from_ms(1));
}

// A broken file is an error that names it; a sound one gives settings that can be used.
void settings(std::string_view bytes) {
  const std::string path = write_scratch("config/yore/config.toml", bytes);
  config::World world;
  world.env = [](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return scratch_directory();
    if (name == "XDG_CONFIG_HOME") return scratch_directory() + "/config";
    return std::nullopt;
  };
  const auto loaded = config::load_settings(world);
  if (!loaded) {
    check(loaded.error().message.find("config.toml") != std::string::npos);
    return;
  }
  check(loaded->config_path == path);
  (void)config::is_excluded(*loaded, "/w/app/x.jsonl", "app");
}

std::vector<std::string> archive_entry_seeds() {
  archive::Entry entry;
  entry.agent = "claude-code";
  entry.ref.id = "1a2b";
  entry.ref.path = "/home/ann/1a2b.jsonl";
  entry.origins = {1, 2};
  entry.versions.push_back({from_ms(1000), {3, 4, 5}, {}});
  entry.versions[0].files.push_back({"/home/ann/1a2b.jsonl", 4, {{std::string(64, 'a'), 9}}});
  return {archive::encode_entry(entry)};
}
// What was decoded is encoded the same way.
void archive_entry(std::string_view bytes) {
  const auto entry = archive::decode_entry(bytes);
  if (!entry) return;
  const std::string again = archive::encode_entry(*entry);
  const auto decoded = archive::decode_entry(again);
  check(decoded.ok() && archive::encode_entry(*decoded) == again);
}

std::vector<std::string> backup_seeds() {
  const fake::TempDir folder;
  const std::string path = path_join(folder.path(), "backup");
  auto out = archive::BackupWriter::create(path);
  if (!out || !out->add("one", archive::pack("bytes")) || !out->finish()) return {};
  return {read_file(path).value_or("")};
}
void backup(std::string_view bytes) {
  const fake::TempDir folder;
  const std::string path = path_join(folder.path(), "backup");
  check(write_new_file(path, bytes).ok());
  std::size_t seen = 0;
  const Status read =
      archive::each_member(path, [&](std::string_view name, std::string_view packed) {
        seen += name.size() + packed.size();
        static_cast<void>(archive::unpack(packed, 1 << 20));
        return Status{};
      });
  check(seen <= bytes.size());
  static_cast<void>(read);
}

constexpr Target kStoreTargets[] = {
    {"archive_entry", archive_entry, archive_entry_seeds},
    {"backup", backup, backup_seeds},
    {"pack", pack, pack_seeds},
    {"reading_state", reading_state, reading_state_seeds},
    {"turn_state", turn_state, turn_state_seeds},
    {"scan_cache", scan_cache, scan_cache_seeds},
    {"list_cursor", list_cursor},
    {"settings", settings},
};

}  // namespace

std::span<const Target> store_targets() {
  return kStoreTargets;
}

}  // namespace yore::fuzz
