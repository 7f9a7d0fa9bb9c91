import { TraceError } from '../../base/errno.js';
import { isLatencyTracer } from '../../ftrace/tracers/tracers.js';
import type { TraceFile } from '../tracefs/node.js';
import { parseUnsigned } from '../tracefs/numbers.js';
import { textFile } from '../tracefs/text-file.js';
import type { TraceInstance } from './instance.js';
import { traceContent } from './trace-file.js';

/** The words under an empty snapshot (show_snapshot_main_help). */
const MAIN_HELP = `# echo 0 > snapshot : Clears and frees snapshot buffer
# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.
#                      Takes a snapshot of the main buffer.
# echo 2 > snapshot : Clears snapshot buffer (but does not allocate or free)
#                      (Doesn't have to be '2' works with any number that
#                       is not a '0' or '1')
`;
/** The help in the snapshot of one cpu (show_snapshot_percpu_help, of a kernel whose cpus cannot swap alone). */
const CPU_HELP = `# echo 0 > snapshot : Invalid for per_cpu snapshot file.
# echo 1 > snapshot : Not supported with this kernel.
#                     Must use main snapshot file to allocate.
# echo 2 > snapshot : Clears this cpu's snapshot buffer (but does not allocate)
#                      (Doesn't have to be '2' works with any number that
#                       is not a '0' or '1')
`;

function help(instance: TraceInstance, cpu: number | undefined): string {
  const state = instance.buffers.hasSnapshot ? 'allocated' : 'freed';
  const commands = cpu === undefined ? MAIN_HELP : CPU_HELP;
  return `# tracer: ${instance.tracer}\n#\n#\n# * Snapshot is ${state} *\n#\n# Snapshot commands:\n${commands}`;
}

/** A latency tracer shows its snapshot by itself, as trace. */
function refuseLatency({ tracer }: TraceInstance): void {
  if (isLatencyTracer(tracer)) throw new TraceError('EBUSY', `${tracer} uses the snapshot`);
}

function show(instance: TraceInstance, cpu: number | undefined): Iterable<string | Uint8Array> {
  refuseLatency(instance);
  const isEmpty = instance.buffers.snapshots(cpu).every(({ reader }) => reader?.isEmpty() ?? true);
  return isEmpty ? [help(instance, cpu)] : traceContent(instance, instance.buffers.snapshots(), cpu);
}

async function store(instance: TraceInstance, cpu: number | undefined, text: string): Promise<void> {
  const value = parseUnsigned(text);
  refuseLatency(instance);
  if (instance.hists.triggers.takeSnapshots) throw new TraceError('EBUSY', 'a hist trigger takes the snapshots');
  if (value <= 1 && cpu !== undefined) throw new TraceError('EINVAL', 'the buffers of all cpus are exchanged together');
  if (value === 0) await instance.buffers.freeSnapshot();
  else if (value === 1) await instance.buffers.takeSnapshot();
  else for (const { reader } of instance.buffers.snapshots(cpu)) reader?.clear();
}

/**
 * snapshot, of one cpu or of all: what the buffers held when a snapshot was taken. Writing 1 exchanges the buffers with it,
 * 0 frees it, anything else clears it (tracing_snapshot_write).
 */
export const snapshotFile = (instance: TraceInstance, cpu?: number): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => show(instance, cpu),
    store: (text) => store(instance, cpu, text),
    opened: ({ read }) => (read ? instance.buffers.openSnapshots.open(cpu) : undefined),
  });
