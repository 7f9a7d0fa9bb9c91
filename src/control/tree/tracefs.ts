import { clockSource } from '../../ring-buffer/index.js';
import { availableEvents } from '../events/set-event.js';
import { userEventsStatus } from '../events/user-events.js';
import { filterFile, functionText } from '../ftrace/filter-files.js';
import {
  availableFilterFunctions,
  availableFilterFunctionsAddrs,
  dynFtraceTotalInfo,
  enabledFunctions,
  functionPlaces,
  functionsWithoutSites,
  kallsyms,
  kallsymsPlaces,
  touchedFunctions,
} from '../ftrace/function-lists.js';
import { sysctlFiles } from '../process/sysctl.js';
import type { TracedProcess } from '../process/traced-process.js';
import { savedCmdlines, savedCmdlinesSize, savedTgids } from '../tasks/task-files.js';
import { maxGraphDepth, tracingThresh } from '../trace-array/tracer-files.js';
import { type Attachment, attachedFile } from '../tracefs/attached-file.js';
import type { TraceDirectory, TraceNode } from '../tracefs/node.js';
import { directory } from '../tracefs/path.js';
import { readOnly } from '../tracefs/text-file.js';
import { FEATURES } from './features.js';
import { instanceFiles } from './instance-files.js';
import { README } from './readme.js';

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
  const features = FEATURES.filter(({ name }) => !process.lacks.has(name));
  const files: Record<string, TraceNode> = {
    ...instanceFiles(instance),
    ...sysctlFiles(process.sysctls),
    README: readOnly(() => README + features.map(({ help }) => (typeof help === 'string' ? help : help(process.lacks))).join('')),
    ...(attachment && { attached: attachedFile(attachment) }),
    available_events: availableEvents(instance),
    available_filter_functions: availableFilterFunctions(process),
    available_filter_functions_addrs: availableFilterFunctionsAddrs(process),
    dyn_ftrace_total_info: dynFtraceTotalInfo(process),
    enabled_functions: enabledFunctions(process),
    function_places: functionPlaces(process),
    functions_without_sites: functionsWithoutSites(process),
    kallsyms: kallsyms(process),
    kallsyms_places: kallsymsPlaces(process),
    max_graph_depth: maxGraphDepth(instance),
    printk_formats: readOnly(() => process.printkFormats.lines()),
    saved_cmdlines: savedCmdlines(process),
    saved_cmdlines_size: savedCmdlinesSize(process),
    saved_tgids: savedTgids(process, () => instance.options),
    set_graph_function: filterFile(instance, 'graph'),
    set_graph_notrace: filterFile(instance, 'graphNotrace'),
    touched_functions: touchedFunctions(process),
    trace_clock_source: readOnly(() => clockSource(process.timeStamps)),
    tracing_thresh: tracingThresh(instance),
    user_events_status: readOnly(() => userEventsStatus(process.events)),
  };
  for (const feature of features) Object.assign(files, feature.files(process));
  return directory(files, 0o700);
}
