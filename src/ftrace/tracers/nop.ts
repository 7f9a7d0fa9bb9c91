import type { Tracer } from './tracer.js';

/** Does nothing (kernel/trace/trace_nop.c). */
export const nop = {
  name: 'nop',
  allowsInstances: true,
  options: [
    { name: 'test_nop_accept', value: false },
    { name: 'test_nop_refuse', value: false, refused: 'made to be refused' },
  ],
} as const satisfies Tracer;
