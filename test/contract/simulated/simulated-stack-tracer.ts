import { DeepestStack } from '../../../src/ftrace/deepest-stack.js';
import type { StackTracerConfig } from '../../../src/ftrace/tracers/services.js';
import type { Call } from './simulated-tracers.js';

/** Bytes of each frame. */
const FRAME_SIZE = 100;

/** What the stack tracer does at a function's entry. */
export type StackTracer = (call: Call) => void;

/** The stack tracer of a thread; undefined if it is off. */
export function createStackTracer(config: StackTracerConfig | undefined): StackTracer | undefined {
  if (config === undefined) return undefined;
  const deepest = new DeepestStack(config.memory);
  return ({ ip, callers }) => {
    const depth = (callers.length + 1) * FRAME_SIZE;
    if (deepest.raise(depth)) deepest.write(config.cpu, Float64Array.of(ip, ...callers), [ip], [depth]);
  };
}
