import type { TraceHost } from '../core/host.js';
import { TraceInstance } from '../core/instance.js';
import { type Attachment, attachedFile } from './attached-file.js';
import { dynamicEventFiles } from './dynamic-event-files.js';
import { filterFile, functionText } from './filter-files.js';
import {
  availableFilterFunctions,
  availableFilterFunctionsAddrs,
  dynFtraceTotalInfo,
  enabledFunctions,
  functionsWithoutSites,
  kallsyms,
  touchedFunctions,
} from './function-lists.js';
import { hwlatDirectory } from './hwlat-files.js';
import { instanceFiles } from './instance-files.js';
import { instancesDirectory } from './instances-directory.js';
import type { TraceDirectory } from './node.js';
import { directory } from './path.js';
import { functionProfileEnabled, traceStatDirectory } from './profile-files.js';
import { README } from './readme.js';
import { availableEvents } from './set-event.js';
import { stackFiles } from './stack-files.js';
import { sysctlFiles } from './sysctl-files.js';
import { savedCmdlines, savedCmdlinesSize, savedTgids } from './task-files.js';
import { readOnly } from './text-file.js';
import { maxGraphDepth, tracingThresh } from './tracer-files.js';

/**
 * The tree of one process: what a user finds in place of /sys/kernel/tracing.
 * @param attachment how fentry was loaded into the process; without it there is no file `attached`
 * @param instance the top level
 */
export function createTracefs(
  host: TraceHost,
  attachment?: Attachment,
  instance: TraceInstance = new TraceInstance(host),
): TraceDirectory {
  attachment?.onUnreached((message, about) => {
    const command = typeof about === 'string' ? about : about.map((n) => functionText(host.functions(), n)).join(' ');
    instance.errors.log(host.now(), 'breakpoints', message, command, 0);
  });
  return directory(
    {
      ...instanceFiles(instance),
      ...sysctlFiles(host.sysctls),
      ...dynamicEventFiles(instance),
      README: readOnly(() => README),
      ...(attachment && { attached: attachedFile(attachment) }),
      available_events: availableEvents(),
      available_filter_functions: availableFilterFunctions(host),
      available_filter_functions_addrs: availableFilterFunctionsAddrs(host),
      dyn_ftrace_total_info: dynFtraceTotalInfo(host),
      enabled_functions: enabledFunctions(host),
      function_profile_enabled: functionProfileEnabled(instance),
      functions_without_sites: functionsWithoutSites(host),
      instances: instancesDirectory(instance),
      hwlat_detector: hwlatDirectory(instance.host.hwlat),
      kallsyms: kallsyms(host),
      max_graph_depth: maxGraphDepth(instance),
      printk_formats: readOnly(() => ''),
      saved_cmdlines: savedCmdlines(host),
      saved_cmdlines_size: savedCmdlinesSize(host),
      saved_tgids: savedTgids(instance),
      set_graph_function: filterFile(instance, 'graph'),
      set_graph_notrace: filterFile(instance, 'graphNotrace'),
      ...stackFiles(instance),
      trace_stat: traceStatDirectory(instance),
      touched_functions: touchedFunctions(host),
      tracing_thresh: tracingThresh(instance),
    },
    0o700,
  );
}
