//! The table of a static embedding model: which row a token has, and the mean of rows.
//!
//! Reads the bytes of a safetensors file; writes nothing. Accepts half and single precision.

use super::LocalModelError;
use half::f16;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::path::Path;

/// The names under which models keep their table: WordLlama's, then model2vec's.
const TABLE_NAMES: [&str; 2] = ["embedding.weight", "embeddings"];
/// model2vec: what every token counts for.
const WEIGHTS_NAME: &str = "weights";
/// model2vec: which row every token has.
const MAPPING_NAME: &str = "mapping";
/// How many foreign tensors a message names.
const SHOWN_NAMES: usize = 5;

/// Rows of components.
pub(super) struct Table {
    dimension: usize,
    values: Vec<f32>,
    weights: Option<Vec<f32>>,
    rows: Option<Vec<usize>>,
}

impl Table {
    /// Reads a table; a cut, damaged or foreign file is refused with what is wrong with it.
    pub fn read(file: &Path, bytes: &[u8]) -> Result<Self, LocalModelError> {
        Self::parse(bytes).map_err(|reason| LocalModelError::Table { file: file.to_owned(), reason })
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| format!("it is damaged or cut: {error}"))?;
        let Some(view) = TABLE_NAMES.iter().find_map(|name| tensors.tensor(name).ok()) else {
            let mut names = tensors.names();
            names.sort_unstable();
            names.truncate(SHOWN_NAMES);
            let wanted = TABLE_NAMES.join("` or `");
            return Err(format!("it has no tensor `{wanted}`, it has `{}`", names.join("`, `")));
        };
        let [row_n, dimension] = *view.shape() else {
            return Err(format!("its table has {} axes, not 2", view.shape().len()));
        };
        if row_n == 0 || dimension == 0 {
            return Err("its table is empty".to_owned());
        }
        let values = numbers(&view)?;
        let optional = |name: &str| tensors.tensor(name).ok();
        let weights = optional(WEIGHTS_NAME).map(|view| numbers(&view)).transpose()?;
        let rows = optional(MAPPING_NAME).map(|view| positions(&view, row_n)).transpose()?;
        let token_n = rows.as_ref().map_or(row_n, Vec::len);
        if weights.as_ref().is_some_and(|weights| weights.len() != token_n) {
            return Err(format!("its `{WEIGHTS_NAME}` and its tokens differ in number"));
        }
        Ok(Self { dimension, values, weights, rows })
    }

    /// Components of a row.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many tokens have a row.
    pub fn token_n(&self) -> usize {
        self.rows.as_ref().map_or(self.values.len() / self.dimension, Vec::len)
    }

    /// The weighted mean of the tokens' rows, brought to length 1. Where that has no length it is the vector whose
    /// components are all equal. Ids must be below [`Table::token_n`].
    pub fn mean(&self, ids: &[u32]) -> Vec<f32> {
        let mut sums = vec![0.0_f64; self.dimension];
        for id in ids.iter().map(|id| *id as usize) {
            let row = self.rows.as_ref().map_or(id, |rows| rows[id]);
            let weight = self.weights.as_ref().map_or(1.0, |weights| f64::from(weights[id]));
            let values = &self.values[row * self.dimension..(row + 1) * self.dimension];
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += weight * f64::from(*value);
            }
        }
        let length = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
        if length > 0.0 {
            sums.iter().map(|sum| (sum / length) as f32).collect()
        } else {
            vec![(1.0 / (self.dimension as f64).sqrt()) as f32; self.dimension]
        }
    }
}

/// The finite numbers of a tensor of half, single or double precision.
fn numbers(view: &TensorView<'_>) -> Result<Vec<f32>, String> {
    let data = view.data();
    let values: Vec<f32> = match view.dtype() {
        Dtype::F16 => data.as_chunks::<2>().0.iter().map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect(),
        Dtype::F32 => data.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        Dtype::F64 => data.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes) as f32).collect(),
        other => return Err(format!("its numbers are {other:?}, not F16, F32 or F64")),
    };
    match values.iter().position(|value| !value.is_finite()) {
        Some(position) => Err(format!("its number {position} is not finite")),
        None => Ok(values),
    }
}

/// Row positions below `row_n`.
fn positions(view: &TensorView<'_>, row_n: usize) -> Result<Vec<usize>, String> {
    let data = view.data();
    let read: Vec<i64> = match view.dtype() {
        Dtype::I64 => data.as_chunks::<8>().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect(),
        Dtype::I32 => data.as_chunks::<4>().0.iter().map(|bytes| i64::from(i32::from_le_bytes(*bytes))).collect(),
        other => return Err(format!("its `{MAPPING_NAME}` is {other:?}, not I64 or I32")),
    };
    let inside = |position: i64| usize::try_from(position).ok().filter(|position| *position < row_n);
    read.into_iter()
        .map(|position| inside(position).ok_or_else(|| format!("its `{MAPPING_NAME}` names row {position} of {row_n}")))
        .collect()
}
