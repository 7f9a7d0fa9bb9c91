import type { Tracer } from './tracer.js';

/** Calls inside each other, with their durations (kernel/trace/trace_functions_graph.c). */
export const functionGraph = {
  name: 'function_graph',
  callback: 'ftrace_graph_func',
  options: [
    { name: 'funcgraph-overrun', value: false },
    { name: 'funcgraph-cpu', value: true },
    { name: 'funcgraph-overhead', value: true },
    { name: 'funcgraph-proc', value: false },
    { name: 'funcgraph-duration', value: true },
    { name: 'funcgraph-abstime', value: false },
    { name: 'funcgraph-irqs', value: true },
    { name: 'funcgraph-tail', value: false },
    { name: 'funcgraph-retval', value: false },
    { name: 'funcgraph-retval-hex', value: false },
    { name: 'funcgraph-args', value: false },
    { name: 'sleep-time', value: true },
    { name: 'graph-time', value: true },
  ],
  prints: 'graph',
  switches: { args: 'funcgraph-args', retval: 'funcgraph-retval' },
} as const satisfies Tracer;
