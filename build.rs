//! Lets the built binaries find `libduckdb` without `LD_LIBRARY_PATH`.
//!
//! Reads `DUCKDB_LIB_DIR`, writes linker arguments, and never fetches anything: the Makefile does that.

fn main() {
    println!("cargo:rerun-if-env-changed=DUCKDB_LIB_DIR");
    println!("cargo:rerun-if-changed=build.rs");
    // Their files are embedded in the binary.
    println!("cargo:rerun-if-changed=sql");
    println!("cargo:rerun-if-changed=templates");
    if std::env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        return;
    }
    let origin = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => "@loader_path/../lib",
        Ok("windows") => return,
        _ => "$ORIGIN/../lib",
    };
    // The installed layout first (bin/ beside lib/), then the folder the library was linked from.
    println!("cargo:rustc-link-arg=-Wl,-rpath,{origin}");
    if let Ok(folder) = std::env::var("DUCKDB_LIB_DIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
