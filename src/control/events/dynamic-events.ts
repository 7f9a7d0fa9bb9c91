import { TraceError } from '../../base/errno.js';

/** The file that lists an event besides dynamic_events (struct dyn_event_operations). */
export type DynamicEventType = 'kprobe_events' | 'uprobe_events' | 'synthetic_events' | 'eprobes' | 'user_events';

/** An event that a file has defined, or one probe of such an event (struct dyn_event). */
export interface DynamicEvent {
  readonly type: DynamicEventType;
  /** The event's line in dynamic_events, without its end. */
  line(): string;
  /** Whether a line that removes means it. @param event '' for any. @param words those behind the event's */
  matches(group: string | undefined, event: string, words: readonly string[]): boolean;
  /** Whether it cannot be removed now. */
  isBusy(): boolean;
  /** Removes it, its entry here too. @throws TraceError EBUSY */
  remove(): void | Promise<void>;
}

/** The events that files define, of all kinds, the youngest last (kernel/trace/trace_dynevent.c). */
export class DynamicEvents {
  readonly #events = new Set<DynamicEvent>();
  readonly #further: () => readonly DynamicEvent[];

  /** @param further those that the program itself has registered */
  constructor(further: () => readonly DynamicEvent[] = () => []) {
    this.#further = further;
  }

  add(event: DynamicEvent): void {
    this.#events.add(event);
  }

  delete(event: DynamicEvent): void {
    this.#events.delete(event);
  }

  /** @param type the file that lists them; undefined: dynamic_events */
  list(type?: DynamicEventType): readonly DynamicEvent[] {
    return [...this.#events, ...this.#further()].filter((event) => type === undefined || event.type === type);
  }

  /** The text of the file that lists them. */
  text(type?: DynamicEventType): string {
    return this.list(type)
      .map((event) => `${event.line()}\n`)
      .join('');
  }

  /**
   * Obeys a line that removes: `-:[GRP/]EVENT [PLACE [ARGS]]`, or a definition behind a `!` (dyn_event_release).
   * @throws TraceError EINVAL for another form, ENOENT if it means none, EBUSY
   */
  async release(words: readonly string[], type?: DynamicEventType): Promise<void> {
    const [head = '', ...rest] = words;
    const colon = head.indexOf(':');
    if (colon < 0 || (head.startsWith('-') && colon !== 1))
      throw new TraceError('EINVAL', `a removal is -:[GROUP/]EVENT, not ${head}`);
    const name = head.slice(colon + 1);
    const slash = name.indexOf('/');
    const group = slash < 0 ? undefined : name.slice(0, slash);
    const event = name.slice(slash + 1);
    if (group === undefined && event === '') throw new TraceError('EINVAL', 'a removal names a group or an event');
    const meant = this.list(type).filter((one) => one.matches(group, event, rest));
    if (meant.length === 0) throw new TraceError('ENOENT', `there is no such event: ${words.join(' ')}`);
    for (const one of meant) await one.remove();
  }

  /** Removes all, or none if one of them is busy (dyn_events_release_all). @throws TraceError EBUSY */
  async releaseAll(type?: DynamicEventType): Promise<void> {
    const events = this.list(type);
    const busy = events.find((event) => event.isBusy());
    if (busy !== undefined) throw new TraceError('EBUSY', `in use: ${busy.line()}`);
    for (const event of events) await event.remove();
  }
}
