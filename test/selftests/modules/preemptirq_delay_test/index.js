// What the kernel's preemptirq_delay_test does: it holds its thread for some microseconds.
function busy_wait(microseconds) {
  for (const end = performance.now() + microseconds / 1000; performance.now() < end; );
}

/** Within one callback nothing preempts JavaScript, and no other callback runs: for both modes one does. */
function preemptirq_delay_run({ delay = '100' }) {
  busy_wait(Number(delay));
}

module.exports = { init: preemptirq_delay_run };
