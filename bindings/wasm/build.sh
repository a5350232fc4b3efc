#!/bin/sh
# Makes the folder pkg, which package.json makes an npm package of, and the folder board, which
# `quincunx board --export` takes.
#
# CARGO names a cargo that has the target wasm32-unknown-unknown. Where there is
# none, Debian's rustc-web, cargo-web, rust-web-src and lld build the module with
# their own standard library:
#
#     CARGO=/usr/bin/cargo BUILD_STD=1 ./build.sh
set -eu
cd "$(dirname "$0")"
triple=wasm32-unknown-unknown
module=${CARGO_TARGET_DIR:-target}/$triple/release/quincunx_wasm.wasm
links=$(mktemp -d)
trap 'rm -r "$links"' EXIT

compile() {
    if [ -n "${BUILD_STD:-}" ]; then
        # Debian's linker has another name.
        ln -sf "$(command -v lld)" "$links/rust-lld"
        PATH="/usr/bin:$links:$PATH" RUSTC_BOOTSTRAP=1 "${CARGO:-cargo}" build --locked \
            --release --target $triple -Zbuild-std=std,panic_abort "$@"
    else
        "${CARGO:-cargo}" build --locked --release --target $triple "$@"
    fi
}

# pack FOLDER FILE...: the module, the JavaScript around it, the weights, and these files.
pack() {
    folder=$1
    shift
    rm -rf "$folder"
    cargo run --locked --release --quiet -p quincunx-bindgen -- "$module" "$folder"
    mkdir "$folder/weights"
    cp ../../crates/engine/src/eval/*/learned/*.line ../../crates/engine/src/eval/*/learned/*.tables \
        "$folder/weights"
    cp js/weights.js "$@" "$folder"
}

compile
pack pkg js/index.js js/index.d.ts js/worker.js
compile --features board
pack board js/thinker.js
