import type { DeclaredTracepoint } from '../../../tracepoint/declared.js';
import { listenToTracepoints } from '../../../tracepoint/declared.js';
import type { EventDeclared } from '../../port.js';
import { fieldSpecs } from '../node-events/field-specs.js';
import { SafeMap } from '../realm/primordials.js';

/** The tracepoints of one thread that are events: the program's, and fentry's own once they are loaded. */
export class Tracepoints {
  readonly #points = new SafeMap<string, DeclaredTracepoint>();
  readonly #tell: (event: EventDeclared) => void;
  /** fentry's own. */
  readonly #own = new Set<DeclaredTracepoint>();
  #isLoading = false;
  #stop: ReturnType<typeof listenToTracepoints> | undefined;
  /** Called with the name of an event that comes, as `SYSTEM:EVENT`. */
  onDeclared: (key: string) => void = () => {};

  /** @param tell called with each event when it comes */
  constructor(tell: (event: EventDeclared) => void) {
    this.#tell = tell;
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

  get(key: string): DeclaredTracepoint | undefined {
    return this.#points.get(key);
  }

  #declared(point: DeclaredTracepoint): void {
    const { tracepoint, parts } = point;
    if (this.#isLoading) this.#own.add(point);
    if (parts === undefined) return;
    const { system, event } = tracepoint;
    const key = `${system}:${event}`;
    this.#points.set(key, point);
    this.#tell({ system, name: event, fields: fieldSpecs(parts.fields), print: parts.print });
    this.onDeclared(key);
  }
}
