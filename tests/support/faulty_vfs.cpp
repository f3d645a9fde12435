#include "support/faulty_vfs.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace yore::fake {
namespace {

constexpr int kCheckpointPages = 8;  // so that small databases are checkpointed, too

// What was in a file before a write that was not synced yet.
struct Overwritten {
  sqlite3_int64 at = 0;
  std::string bytes;
  sqlite3_int64 size = 0;  // of the file
};

// All there is to know, because SQLite hands its callbacks nothing of ours.
struct VfsState {
  std::mutex mutex;
  sqlite3_vfs* real = nullptr;
  sqlite3_vfs own{};
  sqlite3_io_methods methods{};
  StoreFault fault = StoreFault::refuse;
  std::size_t at = 0;
  bool armed = false;
  std::size_t calls = 0;
  std::map<std::string, std::vector<Overwritten>> unsynced;  // by path, oldest first
};
VfsState& state() {
  static VfsState only;
  return only;
}

struct VfsFile {
  sqlite3_file base;  // first: it is what SQLite sees
  std::string* path;
  // Behind it lies the real file.
};
constexpr std::size_t kRealAt = (sizeof(VfsFile) + 15) / 16 * 16;

VfsFile* ours(sqlite3_file* file) {
  return reinterpret_cast<VfsFile*>(file);
}
sqlite3_file* real_of(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + kRealAt);
}

enum class Fate { fine, fails, is_dead };

enum class Sort : bool { changes, reads };

// Counts the call, if it is of the sort that is to go wrong.
Fate next_call(Sort sort = Sort::changes) {
  VfsState& all = state();
  const std::scoped_lock lock(all.mutex);
  if ((sort == Sort::reads) != (all.fault == StoreFault::misread)) return Fate::fine;
  const std::size_t call = all.calls++;
  if (!all.armed || call < all.at) return Fate::fine;
  if (call == all.at) return Fate::fails;
  return all.fault >= StoreFault::crash ? Fate::is_dead : Fate::fine;
}

int failure(int code) {
  return state().fault == StoreFault::fill ? SQLITE_FULL : code;
}

void note_write(sqlite3_file* file, sqlite3_int64 at, int size) {
  VfsState& all = state();
  if (!all.armed || all.fault < StoreFault::power_cut) return;
  Overwritten before;
  before.at = at;
  sqlite3_file* const real = real_of(file);
  real->pMethods->xFileSize(real, &before.size);
  const sqlite3_int64 there = std::clamp<sqlite3_int64>(before.size - at, 0, size);
  before.bytes.resize(static_cast<std::size_t>(there));
  if (there > 0) real->pMethods->xRead(real, before.bytes.data(), static_cast<int>(there), at);
  const std::scoped_lock lock(all.mutex);
  all.unsynced[*ours(file)->path].push_back(std::move(before));
}

int close_file(sqlite3_file* file) {
  const int code = real_of(file)->pMethods->xClose(real_of(file));
  delete ours(file)->path;
  return code;
}

int write_file(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 at) {
  const Fate fate = next_call();
  if (fate == Fate::is_dead) return SQLITE_IOERR_WRITE;
  sqlite3_file* const real = real_of(file);
  const bool torn = fate == Fate::fails && state().fault >= StoreFault::tear;
  if (fate == Fate::fails && !torn) return failure(SQLITE_IOERR_WRITE);
  note_write(file, at, size);
  const int code = real->pMethods->xWrite(real, bytes, torn ? size / 2 : size, at);
  return torn ? SQLITE_IOERR_WRITE : code;
}

int read_file(sqlite3_file* file, void* bytes, int size, sqlite3_int64 at) {
  if (next_call(Sort::reads) != Fate::fine) return SQLITE_IOERR_READ;
  return real_of(file)->pMethods->xRead(real_of(file), bytes, size, at);
}

// Without a mapping what would be looked at there is read.
int fetch_file(sqlite3_file* file, sqlite3_int64 at, int size, void** out) {
  *out = nullptr;
  if (state().fault == StoreFault::misread) return SQLITE_OK;
  return real_of(file)->pMethods->xFetch(real_of(file), at, size, out);
}

int unfetch_file(sqlite3_file* file, sqlite3_int64 at, void* bytes) {
  if (state().fault == StoreFault::misread && bytes != nullptr) return SQLITE_OK;
  return real_of(file)->pMethods->xUnfetch(real_of(file), at, bytes);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (next_call() != Fate::fine) return failure(SQLITE_IOERR_TRUNCATE);
  sqlite3_int64 before = 0;
  real_of(file)->pMethods->xFileSize(real_of(file), &before);
  if (before > size) note_write(file, size, static_cast<int>(before - size));
  return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

int sync_file(sqlite3_file* file, int flags) {
  if (next_call() != Fate::fine) return failure(SQLITE_IOERR_FSYNC);
  const int code = real_of(file)->pMethods->xSync(real_of(file), flags);
  const std::scoped_lock lock(state().mutex);
  state().unsynced.erase(*ours(file)->path);
  return code;
}

int map_shared(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  if (extend != 0 && next_call() != Fate::fine) return failure(SQLITE_IOERR_SHMMAP);
  return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

// Hands a call on to the real file.
template <auto Member, typename... Args>
auto hand_on(sqlite3_file* file, Args... args) {
  return (real_of(file)->pMethods->*Member)(real_of(file), args...);
}

int open_file(sqlite3_vfs* /*vfs*/, const char* path, sqlite3_file* file, int flags, int* out) {
  file->pMethods = nullptr;
  if (next_call() != Fate::fine) return failure(SQLITE_CANTOPEN);
  VfsState& all = state();
  const int code = all.real->xOpen(all.real, path, real_of(file), flags, out);
  if (code != SQLITE_OK) return code;
  ours(file)->path = new std::string(path == nullptr ? "" : path);
  file->pMethods = &all.methods;
  return SQLITE_OK;
}

int delete_file(sqlite3_vfs* /*vfs*/, const char* path, int sync) {
  if (next_call() != Fate::fine) return failure(SQLITE_IOERR_DELETE);
  return state().real->xDelete(state().real, path, sync);
}

sqlite3_io_methods our_methods() {
  using Io = sqlite3_io_methods;
  sqlite3_io_methods made{};
  made.iVersion = 3;
  made.xClose = close_file;
  made.xRead = read_file;
  made.xWrite = write_file;
  made.xTruncate = truncate_file;
  made.xSync = sync_file;
  made.xFileSize = hand_on<&Io::xFileSize>;
  made.xLock = hand_on<&Io::xLock>;
  made.xUnlock = hand_on<&Io::xUnlock>;
  made.xCheckReservedLock = hand_on<&Io::xCheckReservedLock>;
  made.xFileControl = hand_on<&Io::xFileControl>;
  made.xSectorSize = hand_on<&Io::xSectorSize>;
  made.xDeviceCharacteristics = hand_on<&Io::xDeviceCharacteristics>;
  made.xShmMap = map_shared;
  made.xShmLock = hand_on<&Io::xShmLock>;
  made.xShmBarrier = hand_on<&Io::xShmBarrier>;
  made.xShmUnmap = hand_on<&Io::xShmUnmap>;
  made.xFetch = fetch_file;
  made.xUnfetch = unfetch_file;
  return made;
}

int checkpoint_often(sqlite3* database, char** /*error*/, const void* /*api*/) {
  return sqlite3_wal_autocheckpoint(database, kCheckpointPages);
}
void (*checkpoint_hook())() {
  return reinterpret_cast<void (*)()>(checkpoint_often);
}

}  // namespace

FaultyVfs::FaultyVfs() {
  VfsState& all = state();
  all.real = sqlite3_vfs_find(nullptr);
  all.own = *all.real;
  all.own.pNext = nullptr;
  all.own.zName = "faulty";
  all.own.szOsFile = static_cast<int>(kRealAt) + all.real->szOsFile;
  all.own.xOpen = open_file;
  all.own.xDelete = delete_file;
  all.methods = our_methods();
  disarm();
  sqlite3_vfs_register(&all.own, 1);
  sqlite3_auto_extension(checkpoint_hook());
}

FaultyVfs::~FaultyVfs() {
  sqlite3_cancel_auto_extension(checkpoint_hook());
  sqlite3_vfs_unregister(&state().own);
  sqlite3_vfs_register(state().real, 1);
}

void FaultyVfs::arm(StoreFault fault, std::size_t at) {
  disarm();
  state().fault = fault;
  state().at = at;
  state().armed = true;
}

void FaultyVfs::disarm() {
  VfsState& all = state();
  all.armed = false;
  all.calls = 0;
  all.unsynced.clear();
}

std::size_t FaultyVfs::calls() const {
  return state().calls;
}

std::size_t FaultyVfs::lose_unsynced() {
  VfsState& all = state();
  std::size_t count = 0;
  for (auto& [path, writes] : all.unsynced) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) continue;
    bool lost = true;
    for (auto write = writes.rbegin(); write != writes.rend(); ++write) {
      if (lost) {
        ++count;
        [[maybe_unused]] const auto put =
            ::pwrite(fd, write->bytes.data(), write->bytes.size(), write->at);
        struct stat now {};
        ::fstat(fd, &now);
        // What lies behind may be a later write that has reached the disk.
        const bool is_end = now.st_size > write->size && all.fault == StoreFault::power_cut;
        if (is_end) [[maybe_unused]]
          const int cut = ::ftruncate(fd, write->size);
      }
      if (all.fault == StoreFault::reorder) lost = !lost;
    }
    ::close(fd);
  }
  all.unsynced.clear();
  return count;
}

}  // namespace yore::fake
