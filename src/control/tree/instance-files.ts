import { eventsDirectory } from '../events/event-files.js';
import { setEvent } from '../events/set-event.js';
import { filterFile } from '../ftrace/filter-files.js';
import {
  bufferPercent,
  bufferSizeKb,
  bufferSubbufSizeKb,
  bufferTotalSizeKb,
  freeBuffer,
  statsFile,
  tracingCpumask,
} from '../trace-array/buffer-files.js';
import type { TraceInstance } from '../trace-array/instance.js';
import { pidFiles } from '../trace-array/instance-pids.js';
import { traceMarker, traceMarkerRaw } from '../trace-array/marker-file.js';
import { optionsDirectory, traceOptions } from '../trace-array/option-files.js';
import { snapshotFile } from '../trace-array/snapshot-file.js';
import type { CpuBuffer } from '../trace-array/thread-buffer.js';
import { traceFile } from '../trace-array/trace-file.js';
import { tracePipe } from '../trace-array/trace-pipe.js';
import { snapshotRaw, tracePipeRaw } from '../trace-array/trace-pipe-raw.js';
import { availableTracers, currentTracer, traceClock, tracingMaxLatency, tracingOn } from '../trace-array/tracer-files.js';
import type { TraceDirectory, TraceNode } from '../tracefs/node.js';
import { directory, dynamicDirectory } from '../tracefs/path.js';
import { readOnly, textFile } from '../tracefs/text-file.js';

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
const perCpuDirectory = (instance: TraceInstance): TraceDirectory =>
  dynamicDirectory(
    () => new Map(instance.buffers.all().map((buffer) => [`cpu${buffer.cpu}`, cpuDirectory(instance, buffer)] as const)),
  );

/** What every instance has, the top level too (init_tracer_tracefs). */
export const instanceFiles = (instance: TraceInstance): Record<string, TraceNode> => ({
  available_tracers: availableTracers(instance),
  buffer_percent: bufferPercent(instance),
  buffer_size_kb: bufferSizeKb(instance),
  buffer_subbuf_size_kb: bufferSubbufSizeKb(instance),
  buffer_total_size_kb: bufferTotalSizeKb(instance),
  current_tracer: currentTracer(instance),
  error_log: textFile({
    mode: 0o640,
    show: () => instance.errors.text(),
    store() {},
    truncate: () => instance.errors.clear(),
  }),
  events: eventsDirectory(instance),
  free_buffer: freeBuffer(instance),
  options: optionsDirectory(instance),
  per_cpu: perCpuDirectory(instance),
  ...pidFiles(instance.taskPids),
  set_event: setEvent(instance),
  set_ftrace_filter: filterFile(instance, 'filter'),
  set_ftrace_notrace: filterFile(instance, 'notrace'),
  timestamp_mode: readOnly(() => '[delta] absolute\n'),
  snapshot: snapshotFile(instance),
  trace: traceFile(instance),
  trace_clock: traceClock(instance),
  trace_marker: traceMarker(instance),
  trace_marker_raw: traceMarkerRaw(instance),
  trace_options: traceOptions(instance),
  trace_pipe: tracePipe(instance),
  tracing_cpumask: tracingCpumask(instance),
  tracing_max_latency: tracingMaxLatency(instance),
  tracing_on: tracingOn(instance),
});
