import type { PortFeature } from '../../ftrace/tracers/features.js';
import { availableEvents } from '../events/set-event.js';
import { failFunctionDirectory } from '../faults/fault-files.js';
import { filterFile, functionText } from '../ftrace/filter-files.js';
import {
  availableFilterFunctions,
  availableFilterFunctionsAddrs,
  dynFtraceTotalInfo,
  enabledFunctions,
  functionsWithoutSites,
  kallsyms,
  touchedFunctions,
} from '../ftrace/function-lists.js';
import { hwlatDirectory } from '../hwlat/hwlat-files.js';
import { livepatchDirectory } from '../livepatch/livepatch-files.js';
import { dynamicEventFiles } from '../probes/dynamic-event-files.js';
import { kprobeFiles, probeSourceFiles } from '../probes/kprobe-files.js';
import { sysctlFiles } from '../process/sysctl.js';
import type { TracedProcess } from '../process/traced-process.js';
import { functionProfileEnabled, traceStatDirectory } from '../profiler/profile-files.js';
import { stackFiles } from '../stack-tracer/stack-files.js';
import { savedCmdlines, savedCmdlinesSize, savedTgids } from '../tasks/task-files.js';
import { maxGraphDepth, tracingThresh } from '../trace-array/tracer-files.js';
import { type Attachment, attachedFile } from '../tracefs/attached-file.js';
import type { TraceDirectory, TraceNode } from '../tracefs/node.js';
import { directory } from '../tracefs/path.js';
import { readOnly } from '../tracefs/text-file.js';
import { instanceFiles } from './instance-files.js';
import { instancesDirectory } from './instances-directory.js';
import { README } from './readme.js';

/** The files of what a process may lack. */
const FILES_OF: Readonly<Partial<Record<PortFeature, readonly string[]>>> = {
  instances: ['instances'],
  profiler: ['function_profile_enabled', 'trace_stat'],
  'stack tracer': ['stack_max_size', 'stack_trace', 'stack_trace_filter', 'stack_tracer_enabled'],
  probes: ['kprobe_events', 'kprobe_profile', 'uprobe_events', 'uprobe_profile', 'dynamic_events', 'synthetic_events', 'kprobes'],
  livepatch: ['livepatch'],
  faults: ['fail_function'],
  hwlat: ['hwlat_detector'],
};

/**
 * The tree of one process: what a user finds in place of /sys/kernel/tracing.
 * @param attachment how fentry was loaded into the process; without it there is no file `attached`
 */
export function createTracefs(process: TracedProcess, attachment?: Attachment): TraceDirectory {
  const instance = process.top;
  attachment?.onUnreached((message, about) => {
    const command = typeof about === 'string' ? about : about.map((n) => functionText(process.functions(), n)).join(' ');
    instance.errors.log(process.now(), 'breakpoints', message, command, 0);
  });
  for (const message of attachment?.refused ?? []) instance.errors.log(process.now(), 'FENTRY', message, 'FENTRY=native', 0);
  const files: Record<string, TraceNode> = {
    ...instanceFiles(instance),
    ...sysctlFiles(process.sysctls),
    ...dynamicEventFiles(instance.defined, process),
    README: readOnly(() => README),
    ...(attachment && { attached: attachedFile(attachment) }),
    available_events: availableEvents(instance),
    available_filter_functions: availableFilterFunctions(process),
    available_filter_functions_addrs: availableFilterFunctionsAddrs(process),
    dyn_ftrace_total_info: dynFtraceTotalInfo(process),
    enabled_functions: enabledFunctions(process),
    fail_function: failFunctionDirectory(process),
    function_profile_enabled: functionProfileEnabled(instance),
    functions_without_sites: functionsWithoutSites(process),
    instances: instancesDirectory(process),
    hwlat_detector: hwlatDirectory(instance.latency.hwlat),
    kallsyms: kallsyms(process),
    kprobes: directory({ ...kprobeFiles(process.kprobes), ...probeSourceFiles(process.probeSource) }),
    livepatch: livepatchDirectory(process, instance),
    max_graph_depth: maxGraphDepth(instance),
    printk_formats: readOnly(() => process.printkFormats.lines()),
    saved_cmdlines: savedCmdlines(process),
    saved_cmdlines_size: savedCmdlinesSize(process),
    saved_tgids: savedTgids(process, () => instance.options),
    set_graph_function: filterFile(instance, 'graph'),
    set_graph_notrace: filterFile(instance, 'graphNotrace'),
    ...stackFiles(process),
    trace_stat: traceStatDirectory(instance),
    touched_functions: touchedFunctions(process),
    tracing_thresh: tracingThresh(instance),
  };
  for (const feature of process.lacks) for (const name of FILES_OF[feature] ?? []) delete files[name];
  return directory(files, 0o700);
}
