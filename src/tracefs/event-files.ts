import { TraceError } from '../base/errno.js';
import type { TraceInstance } from '../core/instance.js';
import { refusal } from '../core/refusal.js';
import type { TraceEvent } from '../events/define.js';
import { formatFile, HEADER_EVENT_FILE, headerPageFile } from '../events/format-file.js';
import type { TraceDirectory, TraceFile, TraceNode } from './node.js';
import { parseSwitch } from './numbers.js';
import { directory, dynamicDirectory } from './path.js';
import { NO_EVENTS } from './set-event.js';
import { readOnly, textFile } from './text-file.js';

const NO_TRIGGERS = 'There are no triggers in this version of fentry';
/** Without a trigger, the file lists the possible ones. */
const AVAILABLE_TRIGGERS = '# Available triggers:\n#\n';

/** Removes a trigger; one of a known kind need not exist. */
const REMOVAL = /^!(traceon|traceoff|snapshot|stacktrace|enable_event|disable_event|enable_hist|disable_hist|hist)\b/;

/** events/enable: whether events are enabled. There are none, so 0 changes nothing and 1 is refused. */
const eventsEnable = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => '0\n',
    store(text) {
      if (parseSwitch(text)) throw refusal(instance, { location: 'events', message: NO_EVENTS, command: text.trim() });
    },
  });

/** events/ftrace/print/trigger: the one event of the group that can have triggers. */
const eventTrigger = (instance: TraceInstance, event: TraceEvent): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => AVAILABLE_TRIGGERS,
    store(text) {
      const command = text.trim();
      if (REMOVAL.test(command)) return;
      if (command === '') throw new TraceError('EINVAL', 'no trigger');
      throw refusal(instance, { location: `trigger:${event.system}:${event.name}`, message: NO_TRIGGERS, command });
    },
  });

/** Files that are the same in every instance: an instance may be removed while they are open. */
const shared = (file: TraceFile): TraceFile => ({ ...file, holdsInstance: false });

const eventDirectory = (instance: TraceInstance, event: TraceEvent): TraceDirectory =>
  directory({
    format: shared(readOnly(() => formatFile(event))),
    hist: readOnly(() => ''),
    ...(event.hasId ? { id: shared(readOnly(() => `${event.id}\n`)) } : {}),
    ...(event.hasTrigger ? { trigger: shared(eventTrigger(instance, event)) } : {}),
  });

const inOrder = (entries: readonly (readonly [name: string, node: TraceNode])[]): ReadonlyMap<string, TraceNode> =>
  new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** events/SYSTEM/: the events that the system has now. */
const systemDirectory = (instance: TraceInstance, system: string): TraceDirectory =>
  dynamicDirectory(() => {
    const events = instance.process.events.systems().get(system) ?? [];
    return inOrder(events.map((event) => [event.name, eventDirectory(instance, event)]));
  });

/** events/: the events, and how pages and records lie in memory. */
export function eventsDirectory(instance: TraceInstance): TraceDirectory {
  const files: readonly (readonly [string, TraceNode])[] = [
    ['enable', eventsEnable(instance)],
    ['header_event', readOnly(() => HEADER_EVENT_FILE)],
    ['header_page', readOnly(() => headerPageFile())],
  ];
  return dynamicDirectory(() => {
    const systems = [...instance.process.events.systems().keys()];
    return inOrder([...files, ...systems.map((system) => [system, systemDirectory(instance, system)] as const)]);
  });
}
