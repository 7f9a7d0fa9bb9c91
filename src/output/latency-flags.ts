import { TRACE_FLAG } from '../events/ftrace-events.js';
import type { TraceSeq } from './trace-seq.js';

const { IRQS_OFF, IRQS_NOSUPPORT, NEED_RESCHED, PREEMPT_RESCHED, HARDIRQ, SOFTIRQ, NMI, BH_OFF } = TRACE_FLAG;
const DOT = 0x2e;

function kernelFlags(flags: number): string {
  const has = (bit: number): boolean => (flags & bit) !== 0;
  const irqs = has(IRQS_OFF) ? (has(BH_OFF) ? 'D' : 'd') : has(BH_OFF) ? 'b' : has(IRQS_NOSUPPORT) ? 'X' : '.';
  const resched = has(NEED_RESCHED) ? (has(PREEMPT_RESCHED) ? 'N' : 'n') : has(PREEMPT_RESCHED) ? 'p' : '.';
  if (has(NMI)) return `${irqs}${resched}${has(HARDIRQ) ? 'Z' : 'z'}`;
  if (has(HARDIRQ)) return `${irqs}${resched}${has(SOFTIRQ) ? 'H' : 'h'}`;
  return `${irqs}${resched}${has(SOFTIRQ) ? 's' : '.'}`;
}

function traceCmdFlags(flags: number): string {
  const irqs = (flags & IRQS_OFF) !== 0 ? 'd' : (flags & IRQS_NOSUPPORT) !== 0 ? 'X' : '.';
  const resched = (flags & NEED_RESCHED) !== 0 ? 'N' : '.';
  return irqs + resched + '.hsH'.charAt((flags & (HARDIRQ | SOFTIRQ)) / HARDIRQ);
}

const tableOf = (text: (flags: number) => string): Uint8Array =>
  Buffer.from(Array.from({ length: 256 }, (_, flags) => text(flags)).join(''), 'latin1');

/** Irqs, resched and context for each value of common_flags: as trace_print_lat_fmt shows them, and as trace-cmd does. */
export const KERNEL_FLAGS = tableOf(kernelFlags);
export const TRACE_CMD_FLAGS = tableOf(traceCmdFlags);

const DEPTHS = Buffer.from('.123456789abcdef', 'latin1');

/** The five characters of irq-info: `d..2.`. */
export function printLatencyFlags(seq: TraceSeq, table: Uint8Array, flags: number, preemptCount: number): void {
  if (flags === 0 && preemptCount === 0) {
    seq.fill(DOT, 5);
    return;
  }
  seq.putRange(table, (flags & 0xff) * 3, 3);
  seq.byte(DEPTHS[preemptCount & 15]!);
  seq.byte(DEPTHS[(preemptCount >> 4) & 15]!);
}
