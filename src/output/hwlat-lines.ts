import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import type { EventPrinters } from './event-printers.js';
import { number64, type TraceRecord } from './record.js';

const { id, fields } = FTRACE_EVENTS.hwlat;

const word = ({ words, at }: TraceRecord, field: { readonly offset: number }): number => words[at + (field.offset >> 2)]!;
const long = ({ words, at }: TraceRecord, field: { readonly offset: number }): number =>
  number64(words, at + (field.offset >> 2));

/** Prints the samples of the hwlat tracer (trace_hwlat_print). */
const printers: EventPrinters = {
  trace(seq, record) {
    const number = String(word(record, fields.seqnum)).padEnd(5);
    const inner = String(long(record, fields.duration)).padStart(4);
    const outer = String(long(record, fields.outer_duration)).padEnd(5);
    const nanos = String(long(record, fields.tv_nsec)).padStart(9, '0');
    seq.text(`#${number} inner/outer(us): ${inner}/${outer} ts:${long(record, fields.tv_sec)}.${nanos}`);
    seq.text(` count:${word(record, fields.count)}`);
    const interrupts = word(record, fields.nmi_count);
    if (interrupts !== 0) seq.text(` nmi-total:${long(record, fields.nmi_total_ts)} nmi-count:${interrupts}`);
    seq.text('\n');
  },
  raw(seq, record) {
    const nanos = String(long(record, fields.tv_nsec)).padStart(9, '0');
    seq.text(`${long(record, fields.duration)} ${long(record, fields.outer_duration)} ${long(record, fields.tv_sec)} `);
    seq.text(`${nanos} ${word(record, fields.seqnum)}\n`);
  },
};

/** The printers of hwlat records. */
export const hwlatLines: readonly [type: number, printers: EventPrinters] = [id, printers];
