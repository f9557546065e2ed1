//! The moments after and before all others, which the engine stores as the ends of its range and Arrow has no word for.
//!
//! Reads arrays; writes nothing.

use arrow::array::{Array, ArrowPrimitiveType, AsArray};
use arrow::datatypes::{
    DataType, Date32Type, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};

/// The engine's word for an infinite date or timestamp; nothing for any other value, null included.
pub fn infinity_of(array: &dyn Array, index: usize) -> Option<&'static str> {
    if array.is_null(index) {
        return None;
    }
    match array.data_type() {
        DataType::Date32 => word(i64::from(native::<Date32Type>(array, index)), i64::from(i32::MAX)),
        DataType::Timestamp(TimeUnit::Second, _) => word(native::<TimestampSecondType>(array, index), i64::MAX),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            word(native::<TimestampMillisecondType>(array, index), i64::MAX)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            word(native::<TimestampMicrosecondType>(array, index), i64::MAX)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => word(native::<TimestampNanosecondType>(array, index), i64::MAX),
        _ => None,
    }
}

fn native<Kind: ArrowPrimitiveType>(array: &dyn Array, index: usize) -> Kind::Native {
    array.as_primitive::<Kind>().value(index)
}

fn word(value: i64, last: i64) -> Option<&'static str> {
    match value {
        _ if value == last => Some("infinity"),
        _ if value == -last => Some("-infinity"),
        _ => None,
    }
}
