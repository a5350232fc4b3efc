#!/bin/sh
# Builds the module and plays a game with it in node. Prints the moves.
#
# CARGO names a cargo that has the target wasm32-unknown-unknown. Where there is
# none, Debian's rustc-web, cargo-web, rust-web-src and lld build it with their
# own standard library:
#
#     CARGO=/usr/bin/cargo BUILD_STD=1 ./check.sh
set -eu
cd "$(dirname "$0")"
target=wasm32-unknown-unknown
if [ -n "${BUILD_STD:-}" ]; then
    # Debian's linker has another name.
    links=$(mktemp -d)
    trap 'rm -r "$links"' EXIT
    ln -s "$(command -v lld)" "$links/rust-lld"
    PATH="/usr/bin:$links:$PATH" RUSTC_BOOTSTRAP=1 \
        "${CARGO:-cargo}" build --locked --release --target $target -Zbuild-std=std,panic_abort
else
    "${CARGO:-cargo}" build --locked --release --target $target
fi
node play.mjs "target/$target/release/quincunx_wasm.wasm"
