import { TraceError } from '../base/errno.js';
import type { TraceInstance } from '../core/instance.js';
import { refusal } from '../core/refusal.js';
import { commandLines } from './command-lines.js';
import type { TraceFile, TraceNode } from './node.js';
import { readOnly, textFile } from './text-file.js';

const NO_PROBES = 'There are no probes in this version of fentry';
const NO_SYNTHETIC = 'There are no synthetic events in this version of fentry';
const NO_DYNAMIC = 'There are neither probes nor synthetic events in this version of fentry';

/** How a file of definitions refuses: the location and the message in error_log, and the form of a removal. */
interface Definitions {
  readonly location: string;
  readonly message: string;
  /** The form of a valid command, and the message for others. */
  readonly form?: readonly [pattern: RegExp, message: string];
  /** A command that removes what does not exist is ENOENT; any other is EINVAL. */
  readonly removal: RegExp;
}

const FILES = {
  dynamic_events: { location: 'dynamic_events', message: NO_DYNAMIC, removal: /^-:./ },
  kprobe_events: { location: 'trace_kprobe', message: NO_PROBES, removal: /^-:./ },
  synthetic_events: {
    location: 'synthetic_events',
    message: NO_SYNTHETIC,
    removal: /^!/,
    form: [/^\S+\s+\S+\s+\S/, 'Command must be of the form: <name> field[;field] ...'],
  },
  uprobe_events: { location: 'trace_uprobe', message: NO_PROBES, removal: /^-:./ },
} as const satisfies Record<string, Definitions>;

/** A file that defines events; there are none: each command is refused, and error_log says why. */
const definitionsFile = (instance: TraceInstance, { location, message, removal, form }: Definitions): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => '',
    store(text) {
      for (const command of commandLines(text)) {
        if (removal.test(command)) throw new TraceError('ENOENT', `${location}: ${message}`);
        const isUnderstood = form === undefined || form[0].test(command);
        throw refusal(instance, { location, message: isUnderstood ? message : form[1], command });
      }
    },
  });

/** dynamic_events, kprobe_events, synthetic_events, uprobe_events, and the profiles of probes. */
export const dynamicEventFiles = (instance: TraceInstance): Readonly<Record<string, TraceNode>> => ({
  ...Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, definitionsFile(instance, file)])),
  kprobe_profile: readOnly(() => ''),
  uprobe_profile: readOnly(() => ''),
});
