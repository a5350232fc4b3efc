//! Embeddings of codes and of pairs of classes, and how they are quantised.

use crate::score::Score;

/// The number of dimensions of an embedding.
pub const EMBEDDING_DIM: usize = 8;

/// The quantisation scale of embeddings: parts of a unit of [`Score`]. Embeddings
/// are finer than scores because hundreds of them are added up.
pub const EMBEDDING_SCALE: i32 = 8;

/// The largest absolute value in an embedding. The difference of two sums of two
/// embeddings fits in an `i16`.
pub const EMBEDDING_LIMIT: i16 = i16::MAX / 4;

/// The dimension of the linear term for the side to move.
pub const SIDE_TO_MOVE: usize = 0;

/// The dimension of the linear term for the opponent of the side to move.
pub const OPPONENT: usize = 1;

/// A quantised embedding, in units over [`EMBEDDING_SCALE`].
pub type Embedding = [i16; EMBEDDING_DIM];

/// A sum of embeddings, in logits.
pub type EmbeddingSum = [f32; EMBEDDING_DIM];

/// Parts of a logit of a quantised embedding.
pub(super) const PARTS_PER_LOGIT: f32 = Score::LOGIT * EMBEDDING_SCALE as f32;
