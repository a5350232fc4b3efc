//! Bytes as data URLs: messages are text, and browsers read and write these.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Bytes of this kind as text.
pub(super) fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", STANDARD.encode(bytes))
}
