//! The one thread that appends: rows that are waiting share one write and one sync.

use super::encoded::EncodedRow;
use super::error::{Error, Result};
use super::place::Place;
use super::store::Shared;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// Rows of one write; a larger row goes alone.
const MAX_BATCH_BYTES: usize = 16 << 20;

/// How long rows are gathered before a write. A sync costs far more than the rows in it, and a cell takes longer than this
/// by orders of magnitude, unless its gateway answers at once; then this makes commits several times larger.
const GATHER: Duration = Duration::from_millis(1);

/// Sends rows to the appending thread; dropping it waits until everything sent is stored or refused.
#[derive(Debug)]
pub(crate) struct Committer {
    sender: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Request {
    row: EncodedRow,
    reply: oneshot::Sender<Result<Place>>,
}

impl Committer {
    pub(crate) fn start(shared: Arc<Shared>) -> Result<Self> {
        let (sender, receiver) = channel();
        let path = shared.path.clone();
        let thread = std::thread::Builder::new()
            .name("evidence".to_owned())
            .spawn(move || run(&shared, &receiver))
            .map_err(Error::io("start the thread that appends to", &path))?;
        Ok(Self { sender: Some(sender), thread: Some(thread) })
    }

    /// Hands a row over; the answer arrives when it is on disk.
    ///
    /// The row is stored even when nobody waits for the answer any more. An answer that never comes (the thread
    /// died) shows as a closed channel.
    pub(crate) fn append(&self, row: EncodedRow) -> oneshot::Receiver<Result<Place>> {
        let (reply, answer) = oneshot::channel();
        if let Some(sender) = &self.sender {
            // A dead thread drops the request, and with it the reply.
            let _ = sender.send(Request { row, reply });
        }
        answer
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // A panic in there has been reported by its own message already.
            let _ = thread.join();
        }
    }
}

fn run(shared: &Shared, receiver: &Receiver<Request>) {
    while let Ok(first) = receiver.recv() {
        std::thread::sleep(GATHER);
        let mut size = first.row.line().len();
        let (mut rows, mut replies) = (vec![first.row], vec![first.reply]);
        while size < MAX_BATCH_BYTES
            && let Ok(next) = receiver.try_recv()
        {
            size += next.row.line().len();
            rows.push(next.row);
            replies.push(next.reply);
        }
        let answers = shared.disk().commit(shared, &rows);
        for (reply, answer) in replies.into_iter().zip(answers) {
            // Whoever asked may have gone; the row is stored all the same.
            let _ = reply.send(answer);
        }
    }
}
