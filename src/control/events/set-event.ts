import { TraceError } from '../../base/errno.js';
import { eventSwitchOf } from '../../events/set-event-word.js';
import type { TraceFile } from '../tracefs/node.js';
import { readOnly } from '../tracefs/text-file.js';
import { type WordsEditor, wordsFile } from '../tracefs/words-file.js';
import type { EventFile } from './event-file.js';
import type { EventInstance } from './event-instance.js';

const line = ({ event: { system, name } }: EventFile): string => `${system}:${name}\n`;

/** One opening for writing: each word holds as soon as its write is done. */
function editor(instance: EventInstance, truncate: boolean): WordsEditor {
  const { events } = instance;
  const changes: { readonly files: readonly EventFile[]; readonly on: boolean }[] = [];
  if (truncate) changes.push({ files: events.all().filter(({ isEnabled }) => isEnabled), on: false });
  async function written(): Promise<void> {
    for (const { files, on } of changes.splice(0)) await instance.enableEvents(files, on);
  }
  return {
    word(text) {
      const byName = new Map(events.all().map((file) => [file.event as { system: string; name: string }, file]));
      const { enable, events: named } = eventSwitchOf(text, [...byName.keys()]);
      if (named.length === 0) throw new TraceError('EINVAL', `no event ${text}: available_events lists them`);
      changes.push({ files: named.map((event) => byName.get(event)!), on: enable });
    },
    written,
    close: written,
  };
}

/** set_event: the enabled events; opening it with `>` disables all (ftrace_event_write in kernel/trace/trace_events.c). */
export const setEvent = (instance: EventInstance): TraceFile =>
  wordsFile({
    mode: 0o640,
    endsWithWrite: true,
    show: () =>
      instance.events
        .all()
        .filter(({ isEnabled }) => isEnabled)
        .map(line)
        .join(''),
    edit: (truncate) => editor(instance, truncate),
  });

/** available_events: the events that can be enabled. */
export const availableEvents = (instance: EventInstance): TraceFile => readOnly(() => instance.events.all().map(line).join(''));
