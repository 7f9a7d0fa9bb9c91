import type { Tracer } from '../tracer.js';

/** Looks for moments that the machine took away from a cpu (kernel/trace/trace_hwlat.c). */
export const hwlat = { name: 'hwlat', threshold: 10_000n, maximum: 'number', samples: true } as const satisfies Tracer;
