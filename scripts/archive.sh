#!/usr/bin/env bash
# Makes the archive for tournaments: a zip with the tournament engine as pbrain-quincunx.exe at
# its root. Prints the path of the archive.
#
#   scripts/archive.sh [TARGET]
#
# The default target is Windows with MSVC, or with GNU if this machine does not run Windows
# (`rustup target add x86_64-pc-windows-gnu`, and Debian's gcc-mingw-w64-x86-64 and zip). The script
# checks these first. With `rustup component add
# llvm-tools` the script checks which libraries the program needs.
set -euo pipefail
cd "$(dirname "$0")/.."

# The maximum size of an upload.
most_bytes=$((8 * 1000 * 1000))
# The libraries that every Windows has, and that Rust's standard library uses.
system='api-ms-win-core-.*|advapi32|bcrypt|bcryptprimitives|kernel32|msvcrt|ntdll|userenv|ws2_32'

case $OSTYPE in
  msys* | cygwin*) target=${1-x86_64-pc-windows-msvc} ;;
  *) target=${1-x86_64-pc-windows-gnu} ;;
esac
command -v zip >/dev/null || command -v 7z >/dev/null || {
  echo "zip is missing: Debian's package zip" >&2
  exit 1
}
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
archive=${CARGO_TARGET_DIR:-$PWD/target}/quincunx-$version-gomocup.zip
program=$(scripts/dist.sh "$target" -p quincunx --no-default-features)

readobj=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/llvm-readobj
if "$readobj" --version >/dev/null 2>&1; then
  imports=$("$readobj" --coff-imports "$program" | tr -d '\r' | sed -n 's/^ *Name: //p')
  others=$(grep -viE "^($system)\.dll$" <<<"$imports" || true)
  [ -z "$others" ] || { echo "the program needs $others" >&2; exit 1; }
else
  echo "no llvm-readobj: what the program needs is not checked" >&2
fi

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp "$program" "$folder/pbrain-quincunx.exe"
cp LICENSE-MIT LICENSE-APACHE "$folder"
scripts/licences.sh "$target" -p quincunx --no-default-features >"$folder/THIRD-PARTY.txt"
(
  cd "$folder"
  if command -v zip >/dev/null; then
    zip -q -9 archive.zip ./*
  else
    7z a -bso0 -mx=9 archive.zip ./*
  fi
)
mv "$folder/archive.zip" "$archive"
bytes=$(wc -c <"$archive")
((bytes <= most_bytes)) || { echo "$archive has $bytes bytes, more than $most_bytes" >&2; exit 1; }
echo "$archive"
