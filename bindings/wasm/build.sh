#!/bin/sh
# Makes the folder pkg, which package.json turns into an npm package, and the folder board, which
# `quincunx board --export` takes.
#
# CARGO names a cargo that has the target wasm32-unknown-unknown. If there is
# none, Debian's rustc-web, cargo-web, rust-web-src and lld build the module with
# their own standard library:
#
#     CARGO=/usr/bin/cargo BUILD_STD=1 ./build.sh
#
# The folder pkg has a module for several threads as well, if Debian's packages build it or there
# is a nightly toolchain with sources: `rustup toolchain install nightly --component rust-src`.
set -eu
cd "$(dirname "$0")"
triple=wasm32-unknown-unknown
module=${CARGO_TARGET_DIR:-target}/$triple/release/quincunx_wasm.wasm
links=$(mktemp -d)
trap 'rm -r "$links"' EXIT

compile() {
    if [ -n "${BUILD_STD:-}" ]; then
        compile_std "$@"
    else
        "${CARGO:-cargo}" build --locked --release --target $triple "$@"
    fi
}

# The same with a standard library of its own.
compile_std() {
    if [ -n "${BUILD_STD:-}" ]; then
        # Debian's linker has another name.
        ln -sf "$(command -v lld)" "$links/rust-lld"
        PATH="/usr/bin:$links:$PATH" RUSTC_BOOTSTRAP=1 "${CARGO:-cargo}" build --locked \
            --release --target $triple -Zbuild-std=std,panic_abort "$@"
    else
        cargo +nightly build --locked --release --target $triple -Zbuild-std=std,panic_abort "$@"
    fi
}

bindgen() {
    cargo run --locked --quiet -p quincunx-bindgen -- "$module" "$1"
}

# pack FOLDER FEATURES FILE...: the module, the JavaScript around it, the weights, the licences of
# all packages, and these files.
pack() {
    folder=$1
    features=$2
    shift 2
    rm -rf "$folder"
    bindgen "$folder"
    mkdir "$folder/weights"
    cp ../../crates/engine/src/eval/*/learned/*.line ../../crates/engine/src/eval/*/learned/*.tables \
        "$folder/weights"
    cp js/weights.js ../../LICENSE-MIT ../../LICENSE-APACHE "$@" "$folder"
    ../../scripts/licences.sh $triple --manifest-path bindings/wasm/Cargo.toml \
        --features "$features" >"$folder/THIRD-PARTY.txt"
}

compile
pack pkg threads js/index.js js/index.d.ts js/host.js js/worker.js
nightly=$(rustc +nightly --print sysroot 2>/dev/null || true)
if [ -n "${BUILD_STD:-}" ] || [ -d "$nightly/lib/rustlib/src/rust/library" ]; then
    compile_std --features threads --config .cargo/threads.toml
    bindgen pkg/threads
    cp js/thread.js pkg
else
    echo "one thread only: rustup toolchain install nightly --component rust-src" >&2
fi
compile --features board
pack board board js/thinker.js
