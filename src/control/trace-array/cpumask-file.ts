import type { TraceFile } from '../tracefs/node.js';
import { textFile } from '../tracefs/text-file.js';
import { userText } from '../tracefs/user-text.js';
import { type Cpumask, cpumaskText, parseCpumask } from './cpumask.js';
import type { TraceInstance } from './instance.js';

/** Cpus are numbered without gaps, and a cpu never disappears. */
const cpuCount = (instance: TraceInstance): number =>
  instance.buffers.all().reduce((most, { cpu }) => Math.max(most, cpu + 1), 0);

/** A mask of all cpus includes those that come later. */
function maskOf(text: string, cpus: number): Cpumask {
  const mask = parseCpumask(text, cpus);
  return mask === (1n << BigInt(cpus)) - 1n ? undefined : mask;
}

/** tracing_cpumask: the threads that record, as a mask of cpus. */
export const tracingCpumask = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    inOneRead: true,
    show: () => `${cpumaskText(instance.buffers.cpumask, cpuCount(instance))}\n`,
    store: (text) => instance.buffers.setCpumask(maskOf(userText(text), cpuCount(instance))),
  });
