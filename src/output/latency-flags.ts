import { TRACE_FLAG } from '../events/ftrace-events.js';
import type { TraceSeq } from './trace-seq.js';

const code = (char: string): number => char.charCodeAt(0);
const DOT = code('.');

function irqsOff(flags: number): number {
  if ((flags & TRACE_FLAG.IRQS_OFF) !== 0) return code((flags & TRACE_FLAG.BH_OFF) !== 0 ? 'D' : 'd');
  if ((flags & TRACE_FLAG.BH_OFF) !== 0) return code('b');
  return (flags & TRACE_FLAG.IRQS_NOSUPPORT) !== 0 ? code('X') : DOT;
}

function needResched(flags: number): number {
  const need = (flags & TRACE_FLAG.NEED_RESCHED) !== 0;
  const preempt = (flags & TRACE_FLAG.PREEMPT_RESCHED) !== 0;
  if (need) return code(preempt ? 'N' : 'n');
  return preempt ? code('p') : DOT;
}

function interrupt(flags: number): number {
  const hard = (flags & TRACE_FLAG.HARDIRQ) !== 0;
  if ((flags & TRACE_FLAG.NMI) !== 0) return code(hard ? 'Z' : 'z');
  const soft = (flags & TRACE_FLAG.SOFTIRQ) !== 0;
  if (hard) return code(soft ? 'H' : 'h');
  return soft ? code('s') : DOT;
}

const depth = (nibble: number): number => (nibble === 0 ? DOT : code(nibble.toString(16)));

/** The five characters of irq-info: `d..2.` (trace_print_lat_fmt). */
export function printLatencyFlags(seq: TraceSeq, flags: number, preemptCount: number): void {
  if (flags === 0 && preemptCount === 0) {
    seq.fill(DOT, 5);
    return;
  }
  seq.byte(irqsOff(flags));
  seq.byte(needResched(flags));
  seq.byte(interrupt(flags));
  seq.byte(depth(preemptCount & 0xf));
  seq.byte(depth(preemptCount >> 4));
}
