import type { TraceInstance } from '../core/instance.js';
import { bufferPercent, bufferSizeKb, bufferTotalSizeKb } from './buffer-files.js';
import { tracingCpumask } from './cpumask-file.js';
import { eventsDirectory } from './event-files.js';
import { filterFile } from './filter-files.js';
import { freeBuffer } from './free-buffer.js';
import { traceMarker, traceMarkerRaw } from './marker-file.js';
import type { TraceNode } from './node.js';
import { optionsDirectory, traceOptions } from './option-files.js';
import { perCpuDirectory } from './per-cpu.js';
import { pidFiles } from './pid-files.js';
import { setEvent } from './set-event.js';
import { snapshotFile } from './snapshot-file.js';
import { bufferSubbufSizeKb } from './subbuf-size.js';
import { readOnly, textFile } from './text-file.js';
import { traceFile } from './trace-file.js';
import { tracePipe } from './trace-pipe.js';
import { availableTracers, currentTracer, traceClock, tracingMaxLatency, tracingOn } from './tracer-files.js';

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
  ...pidFiles(instance),
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
