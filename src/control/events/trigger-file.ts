import { TraceError } from '../../base/errno.js';
import { listedTrigger } from '../../events/hist/index.js';
import { parseTrigger } from '../../events/trigger/parse-trigger.js';
import { AVAILABLE_TRIGGERS } from '../../events/trigger/trigger-commands.js';
import { triggerLine } from '../../events/trigger/trigger-list.js';
import type { TraceFile } from '../tracefs/node.js';
import { textFile } from '../tracefs/text-file.js';
import { pageText } from '../tracefs/user-text.js';
import type { EventFile } from './event-file.js';
import type { EventInstance } from './event-instance.js';

function shown(instance: EventInstance, { event, triggers }: EventFile): string {
  const hists = instance.hists.of(event);
  if (triggers.length === 0 && hists.length === 0) return AVAILABLE_TRIGGERS;
  const lines = triggers.map((trigger) => triggerLine(trigger, instance.events.countOf(trigger)));
  return [...lines, ...hists.map((trigger) => `${listedTrigger(trigger)}\n`)].join('');
}

const NO_STACKS = new TraceError(
  'EOPNOTSUPP',
  'stacktrace: triggers of these events run after the event, when its stack is gone; FUNCTION:stacktrace in set_ftrace_filter writes stacks',
);

const lacksStack = ({ process: { lacks, probes } }: EventInstance, { event }: EventFile): boolean =>
  lacks.has('event stacks') || probes.lacksStack(event);

/** events/SYSTEM/EVENT/trigger (event_trigger_regex_write in kernel/trace/trace_events_trigger.c). */
export const triggerFile = (instance: EventInstance, file: () => EventFile): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => shown(instance, file()),
    async truncate() {
      await instance.hists.removeAll(file());
      await instance.events.removeHistSwitches(file());
    },
    async store(written) {
      const text = pageText(written, 'a trigger');
      const one = file();
      const { events } = instance;
      const hasEvent = ({ system, event }: { system: string; event: string }): boolean =>
        events.find(system, event) !== undefined;
      const write = parseTrigger(text, { event: one.event, hasEvent });
      if (write.action === 'add' && write.trigger.name === 'stacktrace' && lacksStack(instance, one)) throw NO_STACKS;
      if (write.action === 'add') await instance.addTrigger(one, write.trigger);
      else if (write.action === 'remove') await events.removeTrigger(one, write);
      else await instance.hists.write(one, write.params, write.action === 'remove-hist');
    },
  });
