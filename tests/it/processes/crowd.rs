//! Several runs of the same matrix on one evidence file at the same time.

use super::support::{Project, calls, gateway, runtime, told};

#[test]
fn four_processes_share_a_matrix_of_2000_cells_and_call_each_cell_once() {
    let project = Project::create(500);
    let runtime = runtime();
    let gateway = runtime.block_on(gateway(1));
    let children: Vec<_> = (0..4).map(|_| project.run("shared", &gateway).spawn().unwrap()).collect();
    // All pipes are read at once: a run that cannot speak does not go on.
    let waiting: Vec<_> =
        children.into_iter().map(|child| std::thread::spawn(|| child.wait_with_output().unwrap())).collect();
    for process in waiting {
        let output = process.join().unwrap();
        assert!(output.status.success(), "{}", told(&output));
    }
    project.assert_complete("shared", "four processes");
    let calls = calls(&gateway.seen());
    assert_eq!(calls.len(), 2000);
    let repeated: Vec<_> = calls.iter().filter(|(_, count)| **count > 1).collect();
    assert!(repeated.is_empty(), "called more than once: {repeated:?}");
}
