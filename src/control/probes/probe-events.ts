import { TraceError } from '../../base/errno.js';
import type { EventDefinition, TraceEvent } from '../../events/define.js';
import type { EventRegistry } from '../../events/registry.js';
import { checkAppended, LOCATIONS } from '../../probes/append-probe.js';
import { FIRST_ARGUMENT } from '../../probes/parse-arguments.js';
import { type ProbeFile, parseProbe } from '../../probes/parse-line.js';
import { ProbeCommand, wordsOf } from '../../probes/probe-command.js';
import type { ProbeDefinition, ProbeKind } from '../../probes/probe-definition.js';
import { ProbeError, ProbeRefusal } from '../../probes/probe-errors.js';
import { probeEvent } from '../../probes/probe-event.js';
import { matchesRemoval, probeLine } from '../../probes/probe-listing.js';
import type { ProbeNeeds } from '../../probes/probe-needs.js';
import type { DynamicEvent, DynamicEvents, DynamicEventType } from '../events/dynamic-events.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import type { AddedProbe, ProbeTable } from './probe-table.js';

/** What probes need of the process. */
export interface ProbeEventsNeeds {
  readonly events: EventRegistry;
  readonly probes: Pick<ProbeTable, 'file' | 'check' | 'added' | 'removed' | 'isInlined' | 'symbolAt' | 'registersAt' | 'params'>;
  functions(): FunctionTable;
}

/** Parts of the process that a probe's removal concerns. */
export interface ProbeEventsHost {
  readonly dynamicEvents: DynamicEvents;
  /** Notes a refusal in the error log of the top level. */
  logError(location: string, message: string, command: string, position: number): void;
}

/** The file that lists each kind of probes. */
const TYPES: Readonly<Record<ProbeKind, DynamicEventType>> = {
  kprobe: 'kprobe_events',
  kretprobe: 'kprobe_events',
  settled: 'kprobe_events',
  fprobe: 'kprobe_events',
  fexit: 'kprobe_events',
  tprobe: 'kprobe_events',
  uprobe: 'uprobe_events',
  uretprobe: 'uprobe_events',
  eprobe: 'eprobes',
};

/** Refused lines that no kind of probe takes. */
const FORMS = {
  kprobe_events: 'a line is p|r|f|t[:[GROUP/][EVENT]] PLACE [ARGUMENTS], or -:[GROUP/]EVENT',
  uprobe_events: 'a line is p|r[:[GROUP/][EVENT]] FILE:LINE|FILE:0xOFFSET [ARGUMENTS], or -:[GROUP/]EVENT',
  dynamic_events: 'a line begins with p, r, f, t, e or s, or is -:[GROUP/]EVENT',
} as const satisfies Readonly<Record<ProbeFile, string>>;

/** A probe in the list of dynamic events. */
class RegisteredProbe implements DynamicEvent, AddedProbe {
  readonly type: DynamicEventType;
  readonly definition: ProbeDefinition;
  readonly event: TraceEvent;
  readonly #probes: ProbeEvents;

  constructor(probes: ProbeEvents, definition: ProbeDefinition, event: TraceEvent) {
    this.#probes = probes;
    this.definition = definition;
    this.event = event;
    this.type = TYPES[definition.kind];
  }

  line(): string {
    return probeLine(this.definition);
  }

  matches(group: string | undefined, event: string, words: readonly string[]): boolean {
    return matchesRemoval(this.definition, group, event, words);
  }

  isBusy(): boolean {
    return this.#probes.isEnabled(this.event);
  }

  remove(): Promise<void> {
    return this.#probes.remove(this);
  }
}

/**
 * The probes of the process: what kprobe_events, uprobe_events and dynamic_events define
 * (kernel/trace/trace_{kprobe,uprobe,eprobe}.c).
 */
export class ProbeEvents {
  readonly #process: ProbeEventsNeeds;
  readonly #host: ProbeEventsHost;
  /** The probes of each event, the oldest first. */
  readonly #byEvent = new Map<TraceEvent, RegisteredProbe[]>();
  #changing: Promise<void> = Promise.resolve();

  constructor(process: ProbeEventsNeeds, host: ProbeEventsHost) {
    this.#process = process;
    this.#host = host;
    process.events.watch({ uses: (event) => this.#isAttached(event), gone: () => {} });
  }

  /** The probes of an event, the oldest first. */
  of(event: TraceEvent): readonly AddedProbe[] {
    return this.#byEvent.get(event) ?? [];
  }

  /** All probes that a file lists, in the order in which they came. */
  list(type: DynamicEventType): readonly AddedProbe[] {
    return this.#host.dynamicEvents.list(type).filter((event) => event instanceof RegisteredProbe);
  }

  /** Whether an event is enabled in any instance. */
  isEnabled(event: TraceEvent): boolean {
    return this.#process.events.isUsed(event);
  }

  /**
   * Obeys a line of one of the files. One at a time, for all writers: the next one must find what the previous one has changed
   * (event_mutex).
   * @throws TraceError as the kernel refuses it, after a line in error_log
   */
  write(file: ProbeFile, line: string): Promise<void> {
    const words = wordsOf(line);
    const written = this.#changing.then(() => (words.length === 0 ? undefined : this.#obey(file, words)));
    this.#changing = written.catch(() => {});
    return written;
  }

  /** Removes all that a file lists; undefined: dynamic_events. @throws TraceError EBUSY if one is enabled */
  clear(type: DynamicEventType | undefined): Promise<void> {
    const cleared = this.#changing.then(() => this.#host.dynamicEvents.releaseAll(type));
    this.#changing = cleared.catch(() => {});
    return cleared;
  }

  async #obey(file: ProbeFile, words: readonly string[]): Promise<void> {
    const type = file === 'dynamic_events' ? undefined : file;
    const isRemoval = words[0]!.startsWith('-') || (type === undefined && words[0]!.startsWith('!'));
    if (isRemoval) return this.#host.dynamicEvents.release(words, type);
    try {
      await this.#define(file, words);
    } catch (error) {
      if (error instanceof ProbeError) this.#log(error);
      throw error;
    }
  }

  #log({ earlier, location, text, command, position }: ProbeError): void {
    if (earlier !== undefined) this.#log(earlier);
    this.#host.logError(location, text, command, position);
  }

  async #define(file: ProbeFile, words: readonly string[]): Promise<void> {
    const parsed = parseProbe(file, words, this.#environment);
    if (parsed === undefined) throw new TraceError('EINVAL', FORMS[file]);
    const { group, event: name } = parsed;
    const existing = this.#process.events.find(group, name);
    const hasTypes = parsed.args.every(({ takesType }) => takesType === undefined);
    if (hasTypes) this.#checkAppended(existing, parsed, words);
    const definition = await this.#check(parsed, words);
    if (!hasTypes) this.#checkAppended(existing, definition, words);
    const event = existing ?? this.#process.events.register(probeEvent(definition));
    const probe = new RegisteredProbe(this, definition, event);
    this.#byEvent.set(event, [...(this.#byEvent.get(event) ?? []), probe]);
    this.#host.dynamicEvents.add(probe);
    this.#process.probes.added(probe);
  }

  #checkAppended(existing: TraceEvent | undefined, definition: ProbeDefinition, words: readonly string[]): void {
    if (existing === undefined) return;
    const probes = this.of(existing).map((probe) => probe.definition);
    checkAppended(words, definition, probes);
  }

  /** What the process refuses gets the kernel's text, and its caret. */
  async #check(definition: ProbeDefinition, words: readonly string[]): Promise<ProbeDefinition> {
    try {
      return await this.#process.probes.check(definition);
    } catch (error) {
      if (!(error instanceof ProbeRefusal)) throw error;
      const command = new ProbeCommand(LOCATIONS[definition.kind], words);
      const index = error.argument === undefined ? 1 : FIRST_ARGUMENT + error.argument;
      // Behind `NAME=`, as where the kernel refuses what follows.
      const offset = error.argument === undefined ? 0 : words[index]!.indexOf('=') + 1;
      return command.refuse(error.error, index, offset, { errno: error.errno, detail: error.detail });
    }
  }

  /** @throws TraceError EBUSY if it is the last of an event that is in use */
  async remove(probe: RegisteredProbe): Promise<void> {
    const { event } = probe;
    const left = this.#byEvent.get(event)!.filter((other) => other !== probe);
    if (left.length === 0) this.#process.events.unregister(event);
    if (left.length === 0) this.#byEvent.delete(event);
    else this.#byEvent.set(event, left);
    this.#host.dynamicEvents.delete(probe);
    this.#process.probes.removed(probe);
  }

  /** Whether an eprobe is attached to an event, which must then stay. */
  #isAttached({ system, name }: TraceEvent): boolean {
    for (const probes of this.#byEvent.values()) {
      for (const { definition, type } of probes) {
        const { place } = definition;
        if (type === 'eprobes' && place.kind === 'event' && place.system === system && place.event === name) return true;
      }
    }
    return false;
  }

  readonly #environment: ProbeNeeds = {
    symbols: (module, name) => this.#process.functions().find(name, module).length,
    isInlined: (name) => this.#process.probes.isInlined(name),
    symbolAt: (address) => this.#process.probes.symbolAt(address),
    registersAt: (place) => this.#process.probes.registersAt(place),
    hasNoFunctions: () => this.#process.functions().count === 0,
    params: (module, name) => {
      const functions = this.#process.functions();
      const [n] = functions.find(name, module);
      return n === undefined ? undefined : this.#process.probes.params(n);
    },
    file: (path) => this.#process.probes.file(path),
    event: (system, name) => this.#attachable(system, name),
    tracepoint: (name) => this.#process.events.tracepoint(name),
  };

  #attachable(system: string, name: string): EventDefinition | undefined {
    const event = system === 'ftrace' ? undefined : this.#process.events.find(system, name);
    return event === undefined || event.isOpen || this.#byEvent.has(event) ? undefined : event;
  }
}
