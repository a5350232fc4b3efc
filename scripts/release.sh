#!/usr/bin/env bash
# Makes those files of a release that this machine can make. For each target it makes an archive
# with the program, its documentation, completions, manual page and the licences of all packages.
# For Windows it also makes the archive for tournaments, for Linux a Debian package. For the machine
# itself it makes an archive with the C library and, if maturin is installed, the Python wheel. If
# WebAssembly can be built (see `bindings/wasm/build.sh`) and npm is installed, it makes the npm
# package. Each has a file with its checksum. Prints their paths.
#
#   scripts/release.sh [TARGET]...
#
# The default targets on Linux are a static program for Linux and one for Windows with GNU,
# elsewhere the machine's own. `rustup target add TARGET` adds a missing target. On Linux, Windows
# also needs mingw-w64 and zip.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
tags=$(git tag --points-at HEAD --list 'v*' 2>/dev/null || true)
if [ -n "$tags" ] && ! grep -qxF "v$version" <<<"$tags"; then
  say "the tag is $tags, the version $version"
  exit 1
fi

host=$(rustc -vV | sed -n 's/^host: //p')
targets=("$@")
if [ $# = 0 ]; then
  case $host in
    *-linux-*) wanted="${host%%-*}-unknown-linux-musl x86_64-pc-windows-gnu" ;;
    *) wanted=$host ;;
  esac
  for target in $wanted; do
    if [ -d "$(rustc --print target-libdir --target "$target")" ]; then
      targets+=("$target")
    else
      say "left out: rustup target add $target"
    fi
  done
fi

out=${CARGO_TARGET_DIR:-$PWD/target}/archives
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir -p "$out"
# Some steps run in other folders.
out=$(cd "$out" && pwd)

# The checksum of a file of `out`, beside it.
finish() {
  (
    cd "$out"
    if command -v sha256sum >/dev/null; then
      sha256sum "$1" >"$1.sha256"
    else
      shasum -a 256 "$1" >"$1.sha256"
    fi
  )
  echo "$out/$1"
}

# Completions and the manual page, which are the same for all targets. If this machine can't run
# the program, it is built once more for the machine.
documents() {
  local run=("$1") file
  [ -d "$work/documents" ] && return
  "$1" --version >/dev/null 2>&1 || run=(cargo run --locked --release --quiet --)
  mkdir -p "$work/documents/completions"
  "${run[@]}" man >"$work/documents/quincunx.1"
  # Each has the name that its shell expects: PowerShell runs only a `.ps1`.
  for file in bash:quincunx.bash elvish:quincunx.elv fish:quincunx.fish powershell:quincunx.ps1 \
    zsh:_quincunx; do
    "${run[@]}" completions "${file%:*}" >"$work/documents/completions/${file#*:}"
  done
}

# The Debian package of the program $1 with the documents of the folder $2.
debian() {
  local program=$1 folder=$2 root=$work/debian share machine
  case $target in
    x86_64-*) machine=amd64 ;;
    aarch64-*) machine=arm64 ;;
  esac
  share=$root/usr/share
  rm -rf "$root"
  install -D -m 755 "$program" "$root/usr/bin/quincunx"
  install -d "$root/DEBIAN" "$share/quincunx" "$share/doc/quincunx" "$share/man/man1"
  gzip -9 -n <"$folder/quincunx.1" >"$share/man/man1/quincunx.1.gz"
  gzip -9 -n <"$folder/CHANGELOG.md" >"$share/doc/quincunx/changelog.gz"
  install -m 644 "$folder/README.md" "$folder/protocol.md" "$folder"/LICENSE-* "$folder/THIRD-PARTY.txt" \
    "$share/doc/quincunx"
  cat - LICENSE-MIT >"$share/doc/quincunx/copyright" <<'END'
Under the Apache License 2.0, which is in /usr/share/common-licenses/Apache-2.0, or under the
following license. THIRD-PARTY.txt has those of the packages of others.

END
  cp -r "$folder/docs" "$share/doc/quincunx"
  cp -r "$folder/openings" "$share/quincunx"
  install -D -m 644 "$folder/completions/quincunx.bash" \
    "$share/bash-completion/completions/quincunx"
  install -D -m 644 "$folder/completions/quincunx.fish" \
    "$share/fish/vendor_completions.d/quincunx.fish"
  install -D -m 644 "$folder/completions/_quincunx" "$share/zsh/vendor-completions/_quincunx"
  chmod -R u=rwX,go=rX "$root"
  cat >"$root/DEBIAN/control" <<END
Package: quincunx
Version: $version-1
Architecture: $machine
Maintainer: The Quincunx developers
Homepage: https://github.com/quincunx-engine/quincunx
Section: misc
Priority: optional
Installed-Size: $(du -k -s "$root/usr" | cut -f 1)
Description: engine for Gomoku and Renju
 An engine that speaks the Gomocup (piskvork) protocol, with a board in the
 browser, rooms for people who play each other, analysis, matches between
 engines, and training.
END
  dpkg-deb --build --root-owner-group "$root" "$out/quincunx_$version-1_$machine.deb" >&2
  finish "quincunx_$version-1_$machine.deb"
}

release() {
  local target=$1 program name folder archive needed
  program=$(scripts/dist.sh "$target" -p quincunx)
  case $target in
    *-linux-musl)
      needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED) *//p')
      if [ -n "$needed" ]; then
        say "the program is not static: $needed"
        exit 1
      fi
      ;;
  esac
  documents "$program"
  name=quincunx-$version-$target
  folder=$work/$name
  mkdir "$folder"
  cp README.md protocol.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder"
  cp -r openings docs "$work/documents/." "$folder"
  scripts/licences.sh "$target" -p quincunx >"$folder/THIRD-PARTY.txt"
  case $target in
    *-windows-*)
      # piskvork takes programs whose name begins like this, and managers look for them at the
      # root of the archive.
      cp "$program" "$folder/pbrain-quincunx.exe"
      rm -f "$out/$name.zip"
      (
        cd "$folder"
        if command -v zip >/dev/null; then
          zip -q -9 -r "$out/$name.zip" .
        else
          7z a -bso0 -mx=9 "$out/$name.zip" ./*
        fi
      )
      finish "$name.zip"
      ;;
    *)
      cp "$program" "$folder"
      tar -czf "$out/$name.tar.gz" -C "$work" "$name"
      finish "$name.tar.gz"
      ;;
  esac
  case $target in
    x86_64-*-windows-*)
      archive=$(scripts/archive.sh "$target")
      mv "$archive" "$out"
      finish "$(basename "$archive")"
      ;;
    *-linux-musl)
      if command -v dpkg-deb >/dev/null; then
        debian "$program" "$folder"
      else
        say "no dpkg-deb: no Debian package"
      fi
      ;;
  esac
}

for target in "${targets[@]}"; do
  release "$target"
done

# The C library: header, libraries, examples.
library() {
  local name=quincunx-c-$version-$host folder built file
  folder=$work/$name
  cargo build --locked --release --manifest-path bindings/c/Cargo.toml >&2
  built=${CARGO_TARGET_DIR:-bindings/c/target}/release
  mkdir -p "$folder/lib"
  cp -r bindings/c/README.md bindings/c/include bindings/c/examples LICENSE-MIT LICENSE-APACHE "$folder"
  for file in "$built"/libquincunx.{a,so,dylib} "$built"/quincunx.{lib,dll,dll.lib}; do
    [ ! -f "$file" ] || cp "$file" "$folder/lib"
  done
  scripts/licences.sh "$host" --manifest-path bindings/c/Cargo.toml >"$folder/THIRD-PARTY.txt"
  tar -czf "$out/$name.tar.gz" -C "$work" "$name"
  finish "$name.tar.gz"
}

# The Python wheel, which includes every LICENSE-* of its folder.
wheel() {
  local folder=bindings/python file
  scripts/licences.sh "$host" --manifest-path $folder/Cargo.toml >"$work/LICENSE-THIRD-PARTY.txt"
  mv "$work/LICENSE-THIRD-PARTY.txt" $folder
  maturin build --locked --release --manifest-path $folder/Cargo.toml --out "$work/wheels" >&2
  for file in "$work"/wheels/*.whl; do
    mv "$file" "$out"
    finish "$(basename "$file")"
  done
}

library
if command -v maturin >/dev/null; then
  wheel
else
  say "no maturin: no wheel"
fi
wasm=$(rustc --print target-libdir --target wasm32-unknown-unknown)
if { [ -n "${BUILD_STD:-}" ] || [ -d "$wasm" ]; } && command -v npm >/dev/null; then
  bindings/wasm/build.sh >&2
  (cd bindings/wasm && npm pack --silent --pack-destination "$out") >&2
  finish "quincunx-$version.tgz"
else
  say "no npm, or no target (rustup target add wasm32-unknown-unknown): no package for npm"
fi
