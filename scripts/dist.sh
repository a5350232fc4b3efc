#!/usr/bin/env bash
# Builds the profile `dist` with profile-guided optimisation: the program is built with
# counters, plays itself through the protocol under every rule, and is built again with the
# counts. If a step of that is not possible, the script says so and builds without a profile.
# Before anything is built it checks that the target can be built at all.
# Prints the path of the program.
#
#   scripts/dist.sh TARGET [ARGUMENT OF cargo build]...
#
# For instance, this builds the tournament engine:
#
#   scripts/dist.sh x86_64-unknown-linux-gnu -p quincunx --no-default-features
set -euo pipefail
cd "$(dirname "$0")/.."

target=$1
arguments=("${@:2}")
# On Windows the compiler needs the path in the form of Windows.
folder=${CARGO_TARGET_DIR:-$(pwd -W 2>/dev/null || pwd)/target}
work=$folder/$target/profile

case $target in
  # The C library is linked statically.
  *-msvc) export RUSTFLAGS="${RUSTFLAGS-} -Ctarget-feature=+crt-static" ;;
esac

say() { printf '%s\n' "$*" >&2; }

# Builds in the folder $1, with the other arguments as flags of the compiler. Cargo ignores the
# profile's setting for symbols if a package has settings of its own, as the program has.
build() {
  local flags
  # RUSTFLAGS separates flags by spaces, but these flags may contain spaces.
  read -r -a flags <<<"${RUSTFLAGS-}"
  flags+=(-Cstrip=symbols "${@:2}")
  CARGO_TARGET_DIR=$1 CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}") \
    cargo build --locked --profile dist --target "$target" "${arguments[@]}" >&2
}

# Builds an empty program, with its arguments as flags of the compiler. That takes a second and
# shows what is missing.
try() (
  mkdir -p "$work/empty/src"
  cd "$work/empty"
  printf '[package]\nname = "empty"\nedition = "2024"\n[workspace]\n' >Cargo.toml
  echo 'fn main() {}' >src/main.rs
  RUSTFLAGS="${RUSTFLAGS-} $*" CARGO_TARGET_DIR=target \
    cargo build --offline --quiet --target "$target" >log 2>&1
)

# The program that `try` built.
empty() {
  local program=$work/empty/target/$target/debug/empty
  [ ! -f "$program.exe" ] || program=$program.exe
  echo "$program"
}

# Says what a build for the target needs, and ends if it is missing.
check() {
  local package
  try && return
  cat "$work/empty/log" >&2
  say "This machine can't build programs for $target. If the standard library is missing (can't find"
  say "crate), add it: rustup target add $target"
  case $target in
    x86_64-*-windows-gnu) package=gcc-mingw-w64-x86-64 ;;
    i686-*-windows-gnu) package=gcc-mingw-w64-i686 ;;
    *-linux-musl) package=musl-tools ;;
    *) package=gcc ;;
  esac
  say "If the linker is missing, install a C compiler for the target: Debian's $package"
  exit 1
}

# The program that was built in the folder $1. The shell of Windows finds `quincunx.exe` under the
# name without the extension too, but other programs do not.
program() {
  local program=$1/$target/dist/quincunx
  [ ! -f "$program.exe" ] || program=$program.exe
  echo "$program"
}

# The llvm-profdata of the compiler's version, because it can't read the counts of another.
profdata() {
  local version host path
  version=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  host=$(rustc -vV | sed -n 's/^host: //p')
  for path in "$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata" \
    "llvm-profdata-$version" llvm-profdata; do
    if "$path" merge --version 2>/dev/null | grep -q "LLVM version $version"; then
      echo "$path"
      return
    fi
  done
  say "llvm-profdata of LLVM $version is missing: rustup component add llvm-tools, or Debian's llvm-$version"
  return 1
}

# Lets the engine play both sides from an opening: code of the rule, size, moves such as h8i9.
game() {
  local rule=$1 size=$2 moves=$3 stones=() i line
  while [[ $moves =~ ^([a-z])([0-9]+)(.*) ]]; do
    stones+=("$(($(printf %d "'${BASH_REMATCH[1]}") - 97)),$((size - BASH_REMATCH[2]))")
    moves=${BASH_REMATCH[3]}
  done
  printf '%s\n' "START $size" "INFO rule $rule" "INFO timeout_turn 600000" "INFO max_node 10000" >&4
  while ((${#stones[@]} < 60)); do
    {
      echo BOARD
      for i in "${!stones[@]}"; do
        echo "${stones[i]},$(((${#stones[@]} - i) % 2 + 1))"
      done
      echo DONE
    } >&4
    while :; do
      read -r line <&3 || return 1
      line=${line%$'\r'}
      case $line in
        ERROR*) return ;;
        MESSAGE* | OK) ;;
        *) break ;;
      esac
    done
    stones+=("$line")
  done
}

# Games of the program $1 under every rule.
games() {
  local name rule size moves engine
  coproc ENGINE { exec "$1" 2>/dev/null; }
  # The shell forgets the process id of a program that has ended.
  engine=$ENGINE_PID
  exec 3<&"${ENGINE[0]}" 4>&"${ENGINE[1]}"
  # A program that has ended is noticed by its missing answer.
  trap '' PIPE
  while read -r name rule size; do
    while read -r moves _ <&5; do
      game "$rule" "$size" "$moves" || return 1
    done 5< <(grep -v '^#' "openings/$name$size.txt" | head -n 2)
  done <<'END'
freestyle 0 20
freestyle 0 15
standard 1 15
renju 4 15
caro 8 15
caro 9 15
END
  echo END >&4
  wait "$engine"
}

# Builds the program with counters, and makes the profile from the counts of games.
count() {
  local profdata counting set
  try -Cprofile-generate || {
    say "this compiler can't count for $target: it has no profiler_builtins"
    return 1
  }
  LLVM_PROFILE_FILE="$work/empty/counts" "$(empty)" >/dev/null 2>&1 || {
    say "this machine does not run programs for $target"
    return 1
  }
  profdata=$(profdata) || return 1
  build "$work" "-Cprofile-generate=$work/counts" || return 1
  counting=$(program "$work")
  rm -rf "$work/counts"
  say "the program plays itself"
  games "$counting" || return 1
  # The evaluation has a kernel for each instruction set, and games use only the best. Code
  # that never runs is compiled for size.
  for set in baseline avx2; do
    "$counting" bench --depth 4 --instructions "$set" >/dev/null || say "not counted: $set"
  done
  "$profdata" merge -o "$work/profile" "$work/counts" || return 1
  # Cargo does not notice changes of the file, so every profile has another name.
  profile=$work/$(cksum <"$work/profile" | tr ' ' -).profdata
  mv "$work/profile" "$profile"
}

mkdir -p "$work"
check
if count; then
  build "$folder" "-Cprofile-use=$profile"
else
  say "no profile: the program is built without one"
  build "$folder"
fi
program "$folder"
