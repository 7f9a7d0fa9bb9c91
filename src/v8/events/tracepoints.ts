import { SafeSet } from '../../base/safe-map.js';
import { say } from '../../base/say.js';
import type { FieldSpecs } from '../../events/fields.js';
import type { EventDeclared, TracepointDeclared } from '../../port/port.js';
import type { DeclaredTracepoint, EventParts } from '../../tracepoint/declared.js';
import { listenToTracepoints } from '../../tracepoint/declared.js';
import { fieldSpecs } from '../node-events/field-specs.js';
import { SafeMap } from '../realm/primordials.js';

const NONE: readonly DeclaredTracepoint[] = [];

/** Whether records of both are alike. */
const haveSameFields = (a: EventParts, b: EventParts): boolean =>
  a.print === b.print && JSON.stringify(fieldSpecs(a.fields)) === JSON.stringify(fieldSpecs(b.fields));

/** An event whose fields come with its first record, in whichever thread that is. */
export interface OpenEvent {
  /** The channel that it is made of, for the threads that have not met it; absent: it has no name that they could know. */
  readonly source?: string | undefined;
  /** Whether this thread knows the fields already. */
  readonly hasFields: boolean;
  /** The getters of the fields that it has for the process. */
  readonly getters: (specs: FieldSpecs) => readonly ((...args: never[]) => unknown)[];
}

/** The tracepoints of one thread that are events: the program's, and fentry's own once they are loaded. */
export class Tracepoints {
  /** Several may have one name: those of two copies of a library. */
  readonly #points = new SafeMap<string, readonly DeclaredTracepoint[]>();
  /** Tracepoints that are no events. */
  readonly #plain = new SafeMap<string, readonly DeclaredTracepoint[]>();
  readonly #tell: (event: EventDeclared) => void;
  readonly #tellPlain: (tracepoint: TracepointDeclared) => void;
  readonly #open = new SafeMap<string, OpenEvent>();
  /** fentry's own. */
  readonly #own = new SafeSet<DeclaredTracepoint>();
  #isLoading = false;
  #stop: ReturnType<typeof listenToTracepoints> | undefined;
  /** Called with the name of an event that comes, as `SYSTEM:EVENT`. */
  onDeclared: (key: string) => void = () => {};

  /**
   * @param tell called with each event when it comes
   * @param tellPlain the same with a tracepoint that is no event
   */
  constructor(tell: (event: EventDeclared) => void, tellPlain: (tracepoint: TracepointDeclared) => void = () => {}) {
    this.#tell = tell;
    this.#tellPlain = tellPlain;
  }

  /** Hears of all tracepoints from now on, and of those that are there. */
  listen(): void {
    this.#stop = listenToTracepoints((point) => this.#declared(point));
  }

  /** The tracepoints that `load` declares are fentry's own. */
  loading(load: () => void): void {
    this.#isLoading = true;
    try {
      load();
    } finally {
      this.#isLoading = false;
    }
  }

  /** Hears of none any more; fentry's own are taken back. */
  end(): void {
    this.#stop?.((point) => this.#own.has(point));
    this.#stop = undefined;
  }

  /** The event of this name, whose tracepoint is declared next, is an open one. */
  setOpen(system: string, name: string, event: OpenEvent): void {
    this.#open.set(`${system}:${name}`, event);
  }

  open(key: string): OpenEvent | undefined {
    return this.#open.get(key);
  }

  /** The tracepoints of an event; empty: there is none yet. */
  of(key: string): readonly DeclaredTracepoint[] {
    return this.#points.get(key) ?? NONE;
  }

  /** All of a name, those too that are no events. */
  named(key: string): readonly DeclaredTracepoint[] {
    return [...this.of(key), ...(this.#plain.get(key) ?? NONE)];
  }

  #declared(point: DeclaredTracepoint): void {
    const { tracepoint, parts } = point;
    if (this.#isLoading) this.#own.add(point);
    const { system, event } = tracepoint;
    const key = `${system}:${event}`;
    const args = point.args;
    if (parts === undefined) {
      this.#plain.set(key, [...(this.#plain.get(key) ?? NONE), point]);
      this.#tellPlain({ system, name: event, args });
      this.onDeclared(key);
      return;
    }
    const [first] = this.of(key);
    if (first !== undefined && !haveSameFields(first.parts!, parts)) {
      say(`${system}:${event} is declared a second time, with other fields: the calls of that one are not recorded`);
      return;
    }
    this.#points.set(key, [...this.of(key), point]);
    const open = this.#open.get(key);
    this.#tell({
      system,
      name: event,
      args,
      fields: fieldSpecs(parts.fields),
      print: parts.print,
      ...(open && { isOpen: !open.hasFields, ...(open.source !== undefined && { source: open.source }) }),
    });
    this.onDeclared(key);
  }
}
