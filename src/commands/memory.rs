//! Settings of the allocator, made once at the start of the process.

/// Buffers of this size and above are mapped one by one, and go back to the system when they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_BYTES: libc::c_int = 256 << 10;
/// Heaps of small pieces that threads share; by default every thread gets its own and keeps what it freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const HEAPS_N: libc::c_int = 2;

/// Makes freed memory go back to the system, so that a long run holds little more than it uses.
///
/// Left alone, the C library learns from the first large buffers to keep all later ones, in one heap per thread: at
/// 40,000 rows that was 140 MB of 470. Does nothing where the C library is another one. Must be called before any
/// thread exists.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two integers and changes nothing but the allocator's settings; a refusal changes nothing.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES);
        libc::mallopt(libc::M_ARENA_MAX, HEAPS_N);
    }
}
