#!/usr/bin/env bash
# Prints the licences of the third-party packages of a program: a list of the packages, and each
# text once, with the packages that have it.
#
#   scripts/licences.sh TARGET [ARGUMENT OF cargo tree]...
set -euo pipefail
cd "$(dirname "$0")/.."

target=$1
arguments=("${@:2}")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
texts=$folder/texts
mkdir "$texts"

cargo fetch --locked --target "$target" >&2
# `{p}` is a name and a version; packages of the workspace have a folder there, and what was
# listed before a star at the end.
cargo tree --locked --edges normal --prefix none --target "$target" --format '{p} | {l} | {r}' \
  ${arguments[@]+"${arguments[@]}"} |
  sed -e 's/ (\*)$//' -e 's/ (proc-macro)//' | grep -v '^quincunx' | sort -u >"$folder/packages"

while read -r name version _; do
  for path in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$name-${version#v}"; do
    [ -d "$path" ] || { echo "no source of $name $version" >&2; exit 1; }
    find "$path" -maxdepth 2 -type f ! -name '*.rs' \( -iname 'licen[cs]e*' -o -iname 'copying*' \
      -o -iname 'copyright*' -o -iname 'notice*' -o -iname 'unlicen[cs]e*' -o -ipath '*/licen[cs]es/*' \) |
      sort | while read -r file; do
      text=$texts/$(tr -d '\r' <"$file" | cksum | tr ' ' -)
      tr -d '\r' <"$file" >"$text"
      echo "$name ${version#v}" >>"$text.packages"
    done
    break
  done
done <"$folder/packages"

echo "Quincunx is made of the Rust standard library, under MIT OR Apache-2.0, and of these packages:"
echo
sed 's/^\([^ ]*\) v/\1 /' "$folder/packages"
for text in "$texts"/*[0-9]; do
  printf '\n%s\n' "--------------------------------------------------------------------------------"
  sort -u "$text.packages" | paste -s -d , - | sed 's/,/, /g'
  echo
  cat "$text"
done
