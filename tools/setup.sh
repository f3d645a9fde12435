#!/bin/sh
# tools/setup.sh [PRESET]: installs what is missing, configures and builds build/PRESET.
#
# PRESET is one of CMakePresets.json; release when none is given; python is the Python module, in
# build/release/python, on the objects of the release. Shared by ./yore
# and ./test. Progress goes to stderr, one line per step; what the tools say goes to
# build/PRESET.log, and its tail is shown only when a step fails. With nothing to do it is silent.
# YORE_JOBS limits how many compilers run at once.
set -u

preset=${1:-release}
case $preset in
  release) uses=build ;;
  test) uses='build test' ;;
  quick | threads) uses='build test' ;;
  coverage) uses='build test coverage' ;;
  bench) uses='build bench' ;;
  fuzz) uses='build deep' ;;
  python) uses='build python' ;;
  *) echo "usage: tools/setup.sh [release|test|quick|threads|coverage|bench|fuzz|python]" >&2; exit 2 ;;
esac
configured=$preset
if [ "$preset" = python ]; then configured=release; fi

cd "$(dirname "$0")/.." || exit 1
root=$(pwd -P)
log=$root/build/$preset.log

say() { printf 'yore: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# die_with_log SENTENCE: the tail of the log, then the sentence, so that it is read last.
die_with_log() {
  tail -n 25 "$log" >&2
  die "$* (whole log: $log)"
}

if ! mkdir -p build 2>/dev/null || ! : 2>/dev/null >"$log"; then
  die "cannot write to $root/build: free some disk space, or make the directory yours"
fi
printf '%s\n' "$(date) preset $preset" >>"$log" 2>/dev/null || die "the disk is full: $root/build needs about 1 GB"

log_says() { grep -qiE "$1" "$log"; }
fail_if_disk_is_full() {
  if log_says 'no space left on device|not enough free space|disk quota exceeded'; then
    die "the disk is full: the packages and the build need about 1 GB; free some space and try again (log: $log)"
  fi
}

# --- packages ---------------------------------------------------------------------------------

wanted=$(awk -v uses=" $uses " '!/^#/ && index(uses, " " $2 " ") { printf "%s ", $1 }' \
  tools/packages.txt)
wanted=${wanted% }

missing_packages() {
  # shellcheck disable=SC2086  # a list of words
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $wanted 2>/dev/null)
  for name in $wanted; do
    printf '%s\n' "$installed" | grep -qxF "$name installed" || printf '%s ' "$name"
  done
}

install_packages() {
  count=$(printf '%s\n' "$1" | wc -w)
  by_hand="apt-get install $1"
  become=
  if [ "$(id -u)" -ne 0 ]; then
    by_hand="sudo $by_hand"
    command -v sudo >/dev/null 2>&1 ||
      die "$count packages are missing and installing them needs root, but there is no sudo here; as root, run: ${by_hand#sudo }"
    if ! sudo -n true 2>/dev/null; then
      # sudo asks for the password on the terminal itself; without one it could only fail.
      (: </dev/tty) 2>/dev/null ||
        die "$count packages are missing and sudo wants a password, but there is no terminal to ask on; run: $by_hand"
      say "$count packages are missing: $1(sudo may ask for your password)"
      sudo -v || die "no rights to install packages; ask somebody who has them to run: $by_hand"
    fi
    become=sudo
  fi
  say "installing $count packages: $1"
  apt="$become env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300
       -o Acquire::Retries=2 -o Acquire::http::Timeout=30"
  # A list that cannot be fetched is no reason to stop: the packages may be in the others.
  $apt update >>"$log" 2>&1 </dev/null
  # shellcheck disable=SC2086  # lists of words
  $apt install --no-install-recommends $1 >>"$log" 2>&1 </dev/null && return
  fail_if_disk_is_full
  if log_says 'could not get lock|unable to acquire the dpkg'; then
    die "another program is installing packages; wait for it to end and try again, or run: $by_hand"
  fi
  if log_says 'temporary failure resolving|could not (resolve|connect)|failed to fetch|network is unreachable|connection (timed out|refused|failed)'; then
    die "cannot reach the Debian mirrors; check the network and try again, or install by hand: $by_hand"
  fi
  if log_says 'unable to locate package|has no installation candidate'; then
    die "this system's package lists lack some of what yore needs (Debian 12 has all of it): $1(log: $log)"
  fi
  die_with_log "installing packages failed; try by hand: $by_hand"
}

if command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
  missing=$(missing_packages)
  if [ -n "$missing" ]; then install_packages "$missing"; fi
  not_debian=
else
  # Elsewhere the same libraries have other names. With the tools there, a build is worth trying.
  not_debian="this is not a Debian system; install the counterparts of these Debian packages: $wanted"
  for tool in c++ cmake ninja; do
    command -v "$tool" >/dev/null 2>&1 || die "$not_debian"
  done
fi

# --- configure and build ----------------------------------------------------------------------

# A build directory that was copied or moved with the checkout still points at the old place.
cache=build/$configured/CMakeCache.txt
if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
  rm -rf "build/$configured"
fi

# Once configured, ninja runs cmake again by itself when a CMakeLists.txt changes.
# What was not there when it did is looked for again.
if [ ! -f "build/$configured/build.ninja" ] || [ CMakePresets.json -nt "build/$configured/build.ninja" ] ||
  { [ "$preset" = python ] && grep -q '^pybind11_DIR:PATH=.*NOTFOUND$' "$cache"; }; then
  say "configuring build/$configured"
  if ! cmake --preset "$configured" >>"$log" 2>&1 </dev/null; then
    # What a failed first attempt found out about the compiler must not outlive its repair.
    [ -f "build/$configured/build.ninja" ] || rm -rf "build/$configured"
    fail_if_disk_is_full
    die_with_log "${not_debian:-configuring failed}"
  fi
fi

# As many compilers as cores, fewer when memory is short: one needs up to about 700 MB.
jobs=${YORE_JOBS:-}
if [ -z "$jobs" ]; then
  jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
  room=$(awk '/^MemAvailable:/ { print int($2 / 700000) }' /proc/meminfo 2>/dev/null)
  if [ -n "$room" ] && [ "$room" -lt "$jobs" ]; then jobs=$room; fi
  if [ "$jobs" -lt 1 ]; then jobs=1; fi
fi

# show_progress: ninja's lines in, "building [n/m]" out: one line that is rewritten on a terminal,
# else a line for every fifth of the work. All lines go to the log.
show_progress() {
  shown=-1
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in '['*/*']'*) ;; *) continue ;; esac
    step=${line%%]*} && step=${step#[}
    done=${step%/*} total=${step#*/}
    case $done$total in *[!0-9]* | '') continue ;; esac
    if [ -t 2 ]; then
      printf '\ryore: building [%s]' "$step" >&2
      shown=0
    elif [ $((done * 5 / total)) -ne "$shown" ]; then
      shown=$((done * 5 / total))
      say "building [$step]"
    fi
  done
  if [ "$shown" -ge 0 ] && [ -t 2 ]; then printf '\n' >&2; fi
}

status=build/$preset.status
{
  NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" --parallel "$jobs" 2>&1 </dev/null
  echo $? >"$status"
} | show_progress >>"$log"
result=$(cat "$status" 2>/dev/null)
rm -f "$status"
if [ "$result" != 0 ]; then
  fail_if_disk_is_full
  if log_says 'killed signal|killed \(program|virtual memory exhausted|cannot allocate memory'; then
    die "the compiler ran out of memory; try again with: YORE_JOBS=1 $0 $preset"
  fi
  die_with_log "building failed"
fi
exit 0
