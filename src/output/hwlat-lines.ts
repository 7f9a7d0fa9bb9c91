import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { readersOf } from '../events/read-fields.js';
import type { MakePrinters } from './event-printers.js';

const read = readersOf(FTRACE_EVENTS.hwlat);

/** Prints the samples of the hwlat tracer (trace_hwlat_print). */
export const hwlatPrinters: MakePrinters = () => ({
  trace(seq, record) {
    const number = String(read.seqnum(record)).padEnd(5);
    const inner = String(read.duration(record)).padStart(4);
    const outer = String(read.outer_duration(record)).padEnd(5);
    const nanos = String(read.tv_nsec(record)).padStart(9, '0');
    seq.text(`#${number} inner/outer(us): ${inner}/${outer} ts:${read.tv_sec(record)}.${nanos}`);
    seq.text(` count:${read.count(record)}`);
    const interrupts = read.nmi_count(record);
    if (interrupts !== 0) seq.text(` nmi-total:${read.nmi_total_ts(record)} nmi-count:${interrupts}`);
    seq.text('\n');
  },
  raw(seq, record) {
    const nanos = String(read.tv_nsec(record)).padStart(9, '0');
    seq.text(`${read.duration(record)} ${read.outer_duration(record)} ${read.tv_sec(record)} `);
    seq.text(`${nanos} ${read.seqnum(record)}\n`);
  },
});
