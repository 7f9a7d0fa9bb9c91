import type { TraceHost } from '../core/host.js';
import { TraceInstance } from '../core/instance.js';
import { bufferSizeKb, bufferTotalSizeKb } from './buffer-files.js';
import { eventsDirectory } from './event-files.js';
import { filterFile } from './filter-files.js';
import {
  availableFilterFunctions,
  availableFilterFunctionsAddrs,
  dynFtraceTotalInfo,
  enabledFunctions,
  functionsWithoutSites,
  kallsyms,
} from './function-lists.js';
import { traceMarker } from './marker-file.js';
import type { TraceDirectory } from './node.js';
import { optionsDirectory, traceOptions } from './option-files.js';
import { directory } from './path.js';
import { perCpuDirectory } from './per-cpu.js';
import { pidFiles } from './pid-files.js';
import { README } from './readme.js';
import { savedCmdlines, savedTgids } from './task-files.js';
import { readOnly, textFile } from './text-file.js';
import { traceFile } from './trace-file.js';
import { tracePipe } from './trace-pipe.js';
import { availableTracers, currentTracer, maxGraphDepth, traceClock, tracingOn, tracingThresh } from './tracer-files.js';

/** The tree of one process: what a person finds in place of /sys/kernel/tracing. */
export function createTracefs(host: TraceHost): TraceDirectory {
  const instance = new TraceInstance(host);
  return directory(
    {
      README: readOnly(() => README),
      available_filter_functions: availableFilterFunctions(host),
      available_filter_functions_addrs: availableFilterFunctionsAddrs(host),
      available_tracers: availableTracers(),
      buffer_size_kb: bufferSizeKb(instance),
      buffer_total_size_kb: bufferTotalSizeKb(instance),
      current_tracer: currentTracer(instance),
      dyn_ftrace_total_info: dynFtraceTotalInfo(host),
      enabled_functions: enabledFunctions(host),
      error_log: textFile({
        mode: 0o640,
        show: () => instance.errors.text(),
        store() {},
        truncate: () => instance.errors.clear(),
      }),
      events: eventsDirectory(),
      functions_without_sites: functionsWithoutSites(host),
      kallsyms: kallsyms(host),
      max_graph_depth: maxGraphDepth(instance),
      options: optionsDirectory(instance),
      per_cpu: perCpuDirectory(instance),
      printk_formats: readOnly(() => ''),
      saved_cmdlines: savedCmdlines(host),
      saved_tgids: savedTgids(instance),
      ...pidFiles(instance),
      set_ftrace_filter: filterFile(instance, 'filter'),
      set_ftrace_notrace: filterFile(instance, 'notrace'),
      set_graph_function: filterFile(instance, 'graph'),
      set_graph_notrace: filterFile(instance, 'graphNotrace'),
      trace: traceFile(instance),
      trace_clock: traceClock(instance),
      trace_marker: traceMarker(instance),
      trace_options: traceOptions(instance),
      trace_pipe: tracePipe(instance),
      tracing_on: tracingOn(instance),
      tracing_thresh: tracingThresh(instance),
    },
    0o700,
  );
}
