import type { Tracer } from '../tracer.js';
import { irqsoff } from './irqsoff.js';

/**
 * The longest callback of a thread (kernel/trace/trace_irqsoff.c): until it returns, no other task runs. A turn of the event
 * loop, which irqsoff measures, is one callback or many.
 */
export const preemptoff = { ...irqsoff, name: 'preemptoff' } as const satisfies Tracer;

/** The longest time with one of the two. A callback is always part of a turn, so it is the longest turn. */
export const preemptirqsoff = { ...irqsoff, name: 'preemptirqsoff' } as const satisfies Tracer;
