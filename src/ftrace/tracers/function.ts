import type { Tracer } from './tracer.js';

/** A line for each call (kernel/trace/trace_functions.c). */
export const functionTracer = {
  name: 'function',
  callback: 'function_trace_call',
  allowsInstances: true,
  options: [
    { name: 'func_stack_trace', value: false },
    { name: 'func-no-repeats', value: false },
    { name: 'func-args', value: false },
  ],
  prints: 'lines',
  switches: { stacks: 'func_stack_trace', noRepeats: 'func-no-repeats', args: 'func-args' },
} as const satisfies Tracer;
