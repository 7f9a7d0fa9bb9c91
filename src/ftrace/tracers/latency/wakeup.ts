import type { Tracer } from '../tracer.js';
import { irqsoff } from './irqsoff.js';

const WAKEUP = {
  callback: 'wakeup_tracer_call',
  forces: ['overwrite', 'latency-format'],
  maximum: 'trace',
  prints: 'lines',
  switches: irqsoff.switches,
  graphColumns: { ...irqsoff.graphColumns, 'funcgraph-overhead': true, 'funcgraph-irqs': true },
} as const;

/** The longest time that a task waited to run after it was woken (kernel/trace/trace_sched_wakeup.c): of all tasks ... */
export const wakeup = { name: 'wakeup', ...WAKEUP } as const satisfies Tracer;
/** ... of those in real time ... */
export const wakeupRt = { name: 'wakeup_rt', ...WAKEUP } as const satisfies Tracer;
/** ... and of those with a deadline. */
export const wakeupDl = { name: 'wakeup_dl', ...WAKEUP } as const satisfies Tracer;
