//! Batches from where they are made to where they are written, both at work at once.

use super::{Result, Sink};
use arrow::array::RecordBatch;
use std::sync::mpsc::sync_channel;

/// Batches that wait between the two.
const WAITING_N: usize = 1;

/// Hands every batch that `next` makes to `sink`, which writes on a thread of its own meanwhile.
///
/// Ends early when the sink fails; an error of the sink is returned inside, one of `next` outside.
pub fn pour<E>(
    mut next: impl FnMut() -> std::result::Result<Option<RecordBatch>, E>,
    sink: &mut (dyn Sink + '_),
) -> std::result::Result<Result<()>, E> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<RecordBatch>(WAITING_N);
        let writing = scope.spawn(move || receiver.iter().try_for_each(|batch| sink.add(&batch)));
        let made = loop {
            match next() {
                Ok(Some(batch)) => {
                    // Nobody takes batches any more once the sink has failed.
                    if sender.send(batch).is_err() {
                        break Ok(());
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        drop(sender);
        let written = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        made.map(|()| written)
    })
}
