import type { TraceDirectory } from '../tracefs/node.js';
import { directory, dynamicDirectory } from '../tracefs/path.js';
import { bufferSizeKb, statsFile } from './buffer-files.js';
import type { TraceInstance } from './instance.js';
import { snapshotFile } from './snapshot-file.js';
import type { CpuBuffer } from './thread-buffer.js';
import { traceFile } from './trace-file.js';
import { tracePipe } from './trace-pipe.js';
import { snapshotRaw, tracePipeRaw } from './trace-pipe-raw.js';

const cpuDirectory = (instance: TraceInstance, buffer: CpuBuffer): TraceDirectory =>
  directory({
    buffer_size_kb: bufferSizeKb(instance, buffer.cpu),
    snapshot: snapshotFile(instance, buffer.cpu),
    snapshot_raw: snapshotRaw(instance, buffer),
    stats: statsFile(instance, buffer),
    trace: traceFile(instance, buffer.cpu),
    trace_pipe: tracePipe(instance, buffer.cpu),
    trace_pipe_raw: tracePipeRaw(instance, buffer),
  });

/** per_cpu/: one directory for each thread that exists or has existed. */
export const perCpuDirectory = (instance: TraceInstance): TraceDirectory =>
  dynamicDirectory(
    () => new Map(instance.buffers.all().map((buffer) => [`cpu${buffer.cpu}`, cpuDirectory(instance, buffer)] as const)),
  );
