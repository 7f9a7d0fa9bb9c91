import { eventsDirectory } from '../events/event-files.js';
import { setEvent } from '../events/set-event.js';
import { filterFile } from '../ftrace/filter-files.js';
import { bufferPercent, bufferSizeKb, bufferTotalSizeKb } from '../trace-array/buffer-files.js';
import { tracingCpumask } from '../trace-array/cpumask-file.js';
import { freeBuffer } from '../trace-array/free-buffer.js';
import type { TraceInstance } from '../trace-array/instance.js';
import { traceMarker, traceMarkerRaw } from '../trace-array/marker-file.js';
import { optionsDirectory, traceOptions } from '../trace-array/option-files.js';
import { perCpuDirectory } from '../trace-array/per-cpu.js';
import { pidFiles } from '../trace-array/pid-files.js';
import { snapshotFile } from '../trace-array/snapshot-file.js';
import { bufferSubbufSizeKb } from '../trace-array/subbuf-size.js';
import { traceFile } from '../trace-array/trace-file.js';
import { tracePipe } from '../trace-array/trace-pipe.js';
import { availableTracers, currentTracer, traceClock, tracingMaxLatency, tracingOn } from '../trace-array/tracer-files.js';
import type { TraceNode } from '../tracefs/node.js';
import { readOnly, textFile } from '../tracefs/text-file.js';

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
