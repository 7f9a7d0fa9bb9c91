import { TraceError } from '../../base/errno.js';
import type { EventDefinition, TraceEvent } from '../define.js';
import { parseSyntheticEvent, type Refuse, refuserOf, wordsOf } from './parse-synthetic.js';
import { defineSynthetic, listedEvent, SYSTEM, type SyntheticEvent } from './synthetic-event.js';

/** What the process does for synthetic events. */
export interface SyntheticHost {
  /** Gives the event its id, and its files. @throws TraceError */
  register(definition: EventDefinition): TraceEvent;
  /** Takes it away. @throws TraceError EBUSY while it is enabled */
  unregister(event: TraceEvent): void;
  /** Notes a refusal in the error log of the top level. */
  logError(location: string, message: string, command: string, position: number): void;
}

/** A synthetic event that is there. `users` counts the triggers that generate it, and the hist triggers on it. */
export interface RegisteredSynthetic extends SyntheticEvent {
  readonly event: TraceEvent;
  users: number;
}

const LOCATION = 'synthetic_events';

/** Whether the first part of a definition has a name, a type and a field's name (check_command). */
const isComplete = (text: string): boolean => text.startsWith('!') || wordsOf(text.split(';')[0]!).length >= 3;

/**
 * The synthetic events of the process (kernel/trace/trace_events_synth.c): the lines of `synthetic_events`, and those with `s:`
 * of `dynamic_events`.
 */
export class SyntheticEvents {
  readonly #host: SyntheticHost;
  readonly #events = new Map<string, RegisteredSynthetic>();

  constructor(host: SyntheticHost) {
    this.#host = host;
  }

  find(name: string): RegisteredSynthetic | undefined {
    return this.#events.get(name);
  }

  /** The youngest is last, as in the kernel. */
  list(): readonly RegisteredSynthetic[] {
    return [...this.#events.values()];
  }

  /** The text of `synthetic_events`. */
  text(): string {
    return this.list()
      .map((event) => `${listedEvent(event)}\n`)
      .join('');
  }

  /**
   * A line written to `synthetic_events`: a definition, or `!NAME` (create_or_delete_synth_event). Empty lines do nothing.
   * @throws TraceError EINVAL, EEXIST, ENOENT, EBUSY
   */
  write(line: string): void {
    const command = line.trimStart();
    if (command === '') return;
    const refuse = this.#refuser(command);
    if (!isComplete(command)) refuse('INVALID_CMD');
    const [, name, fields] = /^([^ \t]*)(?:[ \t]+(.*))?$/s.exec(command) ?? [];
    if (name!.startsWith('!')) this.remove(name!.slice(1));
    else if (fields === undefined) refuse('INVALID_CMD');
    else this.#create(name!, fields, refuse);
  }

  /**
   * A line written to `dynamic_events`, `s:[synthetic/]NAME FIELDS` (create_synth_event).
   * @returns false for a line that does not begin with `s:`
   * @throws TraceError EINVAL, EEXIST
   */
  writeDynamic(line: string): boolean {
    const command = line.trimStart();
    if (!command.startsWith('s:')) return false;
    const refuse = this.#refuser(command);
    const space = /[ \t]/.exec(command)?.index ?? refuse('INVALID_CMD');
    let definition = command.slice(2);
    if (definition.includes('/')) {
      if (!definition.startsWith(`${SYSTEM}/`)) refuse('INVALID_DYN_CMD');
      definition = definition.slice(SYSTEM.length + 1);
    }
    if (!isComplete(definition)) refuse('INVALID_CMD');
    const begin = command.length - definition.length;
    this.#create(command.slice(begin, Math.max(begin, space)), command.slice(space).replace(/^[ \t]+/, ''), refuse);
    return true;
  }

  /** @throws TraceError ENOENT, or EBUSY while it is enabled or a trigger uses it */
  remove(name: string): void {
    const found = this.#events.get(name);
    if (found === undefined) throw new TraceError('ENOENT', `no synthetic event ${name}`);
    if (found.users > 0) throw new TraceError('EBUSY', `a trigger uses ${name}`);
    this.#host.unregister(found.event);
    this.#events.delete(name);
  }

  /** Removes all, or none if a trigger uses one: what truncating `synthetic_events` does. @throws TraceError EBUSY */
  removeAll(): void {
    const used = this.list().find(({ users }) => users > 0);
    if (used !== undefined) throw new TraceError('EBUSY', `a trigger uses ${used.name}`);
    for (const { name } of this.list()) this.remove(name);
  }

  #refuser(command: string): Refuse {
    return refuserOf(command, (message, whole, position) => this.#host.logError(LOCATION, message, whole, position));
  }

  #create(name: string, fields: string, refuse: Refuse): void {
    if (this.#events.has(name)) refuse('EVENT_EXISTS', name, 'EEXIST');
    const parsed = parseSyntheticEvent(name, fields, refuse);
    this.#events.set(name, { ...parsed, event: this.#host.register(defineSynthetic(parsed)), users: 0 });
  }
}
