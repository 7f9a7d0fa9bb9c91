import { isMeant } from './costly-events.js';

/** The name of an event that can be enabled. */
export interface EventName {
  readonly system: string;
  readonly name: string;
}

/** What a word of `set_event` does to events. */
export interface EventSwitch<E extends EventName> {
  readonly enable: boolean;
  /** Empty for a word that names nothing: the write is refused (EINVAL), the words before it hold. */
  readonly events: readonly E[];
}

/**
 * A word of `set_event` (ftrace_set_clr_event in kernel/trace/trace_events.c): `SYSTEM:EVENT`, of which either may be `*` or
 * nothing for all, or a name, which means the events of that name and those of the system of that name. There are no globs. `!`
 * before it disables. Events that cost much are meant by their own name alone (costly-events.ts).
 * @param events those that can be enabled: not those of group ftrace
 */
export function eventSwitchOf<E extends EventName>(word: string, events: readonly E[]): EventSwitch<E> {
  const enable = !word.startsWith('!');
  const text = enable ? word : word.slice(1);
  const colon = text.indexOf(':');
  const mayBe = (event: E, wanted: string): boolean => !enable || isMeant(event, wanted);
  if (colon < 0) {
    const named = events.filter(({ system, name }) => system === text || name === text);
    return { enable, events: named.filter((event) => mayBe(event, text)) };
  }
  const is = (wanted: string, actual: string): boolean => wanted === '' || wanted === '*' || wanted === actual;
  const [system, name] = [text.slice(0, colon), text.slice(colon + 1)];
  const named = events.filter((event) => is(system, event.system) && is(name, event.name));
  return { enable, events: named.filter((event) => mayBe(event, name)) };
}
