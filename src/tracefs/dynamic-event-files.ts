import { TraceError } from '../base/errno.js';
import type { TraceInstance } from '../core/instance.js';
import { refusal } from '../core/refusal.js';
import { listedEvent } from '../events/synthetic/synthetic-event.js';
import { commandLines } from './command-lines.js';
import type { TraceFile, TraceNode } from './node.js';
import { readOnly, textFile } from './text-file.js';

const NO_PROBES = 'There are no probes in this version of fentry';
const NO_DYNAMIC = 'There are no probes in this version of fentry; synthetic events begin with s:';

/** How a file of definitions refuses: the location and the message in error_log, and the form of a removal. */
interface Definitions {
  readonly location: string;
  readonly message: string;
  /** A command that removes what does not exist is ENOENT; any other is EINVAL. */
  readonly removal: RegExp;
}

const FILES = {
  kprobe_events: { location: 'trace_kprobe', message: NO_PROBES, removal: /^-:./ },
  uprobe_events: { location: 'trace_uprobe', message: NO_PROBES, removal: /^-:./ },
} as const satisfies Record<string, Definitions>;

/** A file that defines events; there are none: each command is refused, and error_log says why. */
const definitionsFile = (instance: TraceInstance, { location, message, removal }: Definitions): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => '',
    store(text) {
      for (const command of commandLines(text)) {
        if (removal.test(command)) throw new TraceError('ENOENT', `${location}: ${message}`);
        throw refusal(instance, { location, message, command });
      }
    },
  });

/** synthetic_events: each line defines an event, or removes one; opening it with `>` removes all. */
const syntheticEvents = ({ sharedHists: { synthetic } }: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => synthetic.text(),
    truncate: () => synthetic.removeAll(),
    store(text) {
      for (const command of commandLines(text)) synthetic.write(command);
    },
  });

/** dynamic_events: the same for all events that files define: `s:NAME FIELDS`, and `-:NAME` to remove. */
const dynamicEvents = (instance: TraceInstance): TraceFile => {
  const { synthetic } = instance.sharedHists;
  return textFile({
    mode: 0o640,
    show: () =>
      synthetic
        .list()
        .map((event) => `s:synthetic/${listedEvent(event)}\n`)
        .join(''),
    truncate: () => synthetic.removeAll(),
    store(text) {
      for (const command of commandLines(text)) define(instance, command);
    },
  });
};

const REMOVAL = /^-:(?:synthetic\/)?(.+)/;

function define(instance: TraceInstance, command: string): void {
  const { synthetic } = instance.sharedHists;
  const removed = REMOVAL.exec(command)?.[1];
  if (removed !== undefined) synthetic.remove(removed.trim());
  else if (!synthetic.writeDynamic(command)) {
    throw refusal(instance, { location: 'dynamic_events', message: NO_DYNAMIC, command });
  }
}

/** dynamic_events, kprobe_events, synthetic_events, uprobe_events, and the profiles of probes. */
export const dynamicEventFiles = (instance: TraceInstance): Readonly<Record<string, TraceNode>> => ({
  ...Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, definitionsFile(instance, file)])),
  dynamic_events: dynamicEvents(instance),
  synthetic_events: syntheticEvents(instance),
  kprobe_profile: readOnly(() => ''),
  uprobe_profile: readOnly(() => ''),
});
