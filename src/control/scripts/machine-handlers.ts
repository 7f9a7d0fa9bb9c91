import type { Long } from '../../events/c-types.js';
import type { TraceEvent } from '../../events/define.js';
import { readersOf } from '../../events/read-fields.js';
import type { EventRegistry } from '../../events/registry.js';
import { ConsumedRecords } from '../../output/record-cursor.js';
import { RecordMerge } from '../../output/record-merge.js';
import type { ProbeArgument, ProbeDefinition } from '../../probes/probe-definition.js';
import { probeEvent } from '../../probes/probe-event.js';
import type { CpuReader } from '../../ring-buffer/index.js';
import { readsStack } from '../../script/builtins.js';
import type { ScriptPoint } from '../../script/program.js';
import type { ScriptThread } from '../../script/runtime/script-thread.js';
import type { HandlerCode } from '../../script/script-code.js';
import type { AddedProbe, ProbeTable } from '../probes/probe-table.js';
import { type ControlContext, type MachineValue, machineValue } from './control-context.js';
import { functionsOf, meansMachineCode, type ScriptFunctionsNeeds } from './script-functions.js';

/** An instance that nobody sees: it records what handlers of machine code are hit by. */
export interface HiddenInstance<File> {
  readonly events: { of(event: TraceEvent): File };
  readonly buffers: { all(): readonly { readonly cpu: number; readonly reader: CpuReader | undefined }[] };
  enableEvents(files: readonly File[], on: boolean): Promise<void>;
}

/** What handlers of machine code need of the process. */
export interface MachineHandlersNeeds extends ScriptFunctionsNeeds {
  readonly probes: ProbeTable;
  readonly events: EventRegistry;
  comm(pid: number): string | undefined;
  readonly hidden: {
    // biome-ignore lint/suspicious/noExplicitAny: the state of an event is the instance's own
    add(name: string): HiddenInstance<any>;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    remove(instance: HiddenInstance<any>): Promise<void>;
  };
}

type FunctionPoint = Extract<ScriptPoint, { kind: 'function' }>;
type Read = (record: RecordMerge) => unknown;

/** A handler, and how it gets what a record has. */
interface MachineHandler {
  readonly probe: AddedProbe;
  readonly run: (at: number) => void;
  /** What the sources of the handler read. */
  readonly values: { fetched: readonly (Long | MachineValue)[] };
  readonly longs: readonly Read[];
  readonly texts: readonly (Read | undefined)[];
  /** Where it was hit. */
  readonly address: Read;
}

/** Each function of machine code has an event of its own. */
const MOST_FUNCTIONS = 200;

const KINDS = { entry: 'kprobe', return: 'kretprobe', settled: 'settled' } as const;
/** Where the record of a probe says which function was hit. */
const ADDRESSES = ['__probe_func', '__probe_ip'] as const;

/**
 * The handlers of a script at machine code: a thread records what a handler fetches, and the control thread runs it from the
 * record.
 */
export class MachineHandlers {
  readonly #needs: MachineHandlersNeeds;
  readonly #own: ScriptThread;
  readonly #context: ControlContext;
  readonly #name: string;
  readonly #byEvent = new Map<number, MachineHandler>();
  // biome-ignore lint/suspicious/noExplicitAny: as above
  #instance: HiddenInstance<any> | undefined;

  /** @param name of the events and of the instance, which no other has */
  constructor(name: string, needs: MachineHandlersNeeds, own: ScriptThread, context: ControlContext) {
    this.#name = name;
    this.#needs = needs;
    this.#own = own;
    this.#context = context;
  }

  /** Puts the handlers in that stand at machine code. @throws ProbeRefusal, or an Error that says what cannot be had there */
  async connect(handlers: readonly HandlerCode[]): Promise<void> {
    const { hidden } = this.#needs;
    for (const [i, code] of handlers.entries()) {
      for (const symbol of this.#symbolsOf(code.point)) {
        refuse(code);
        const handler = await this.#handler(i, code, symbol, `${this.#name}_${this.#byEvent.size}`);
        this.#byEvent.set(handler.probe.event.id, handler);
        this.#instance ??= hidden.add(this.#name);
      }
    }
    if (this.#instance !== undefined) await this.#instance.enableEvents(this.#files(), true);
  }

  async disconnect(): Promise<void> {
    const instance = this.#instance;
    if (instance === undefined) return;
    await instance.enableEvents(this.#files(), false);
    this.run();
    for (const { probe } of this.#byEvent.values()) {
      this.#needs.probes.removed(probe);
      this.#needs.events.unregister(probe.event);
    }
    this.#byEvent.clear();
    this.#instance = undefined;
    await this.#needs.hidden.remove(instance);
  }

  /**
   * Runs the handlers of the records that there are, in the order of time.
   * @param most of so many: threads may record faster
   */
  run(most = Number.POSITIVE_INFINITY): void {
    const cpus =
      this.#instance?.buffers.all().flatMap(({ cpu, reader }) => (reader === undefined ? [] : [{ cpu, reader }])) ?? [];
    const merge = new RecordMerge(cpus.map(({ cpu, reader }) => new ConsumedRecords(cpu, reader)));
    for (let i = 0; i < most && !merge.isEmpty && merge.take(); i++) this.#hit(merge);
  }

  #hit(record: RecordMerge): void {
    const handler = this.#byEvent.get(record.words[record.at]! & 0xffff);
    if (handler === undefined) return;
    const address = Number(handler.address(record));
    const symbol = this.#needs.table.symbols().find(address);
    const tid = record.words[record.at + 1]! | 0;
    this.#context.hit = {
      cpu: record.cpu,
      tid,
      comm: this.#needs.comm(tid) ?? '<...>',
      ts: record.ts,
      functionName: symbol?.name ?? '',
      moduleName: symbol?.module ?? '',
      address: symbol?.address ?? address,
    };
    handler.values.fetched = handler.longs.map((read, i) =>
      machineValue(read(record) as Long, handler.texts[i]?.(record) as string | undefined),
    );
    try {
      handler.run(0);
    } finally {
      this.#context.hit = undefined;
    }
  }

  /** The functions of machine code at which a point stands. */
  #symbolsOf(point: ScriptPoint): readonly string[] {
    if (point.kind !== 'function' || !meansMachineCode(point, this.#needs)) return [];
    const { table } = this.#needs;
    const symbols = new Set(functionsOf(point, this.#needs, 'machine code').map((n) => table.name(n)));
    if (symbols.size > MOST_FUNCTIONS)
      throw new Error(`${point.symbol} means ${symbols.size} functions of machine code: a script stands on ${MOST_FUNCTIONS}`);
    return [...symbols];
  }

  async #handler(index: number, code: HandlerCode, symbol: string, name: string): Promise<MachineHandler> {
    const { probes, events } = this.#needs;
    const asked = definitionOf(code, symbol, name);
    // A value that is no address has no text.
    const definition = await probes.check(asked(true)).catch(() => probes.check(asked(false)));
    const event = events.register(probeEvent(definition));
    const probe = { definition, event };
    probes.added(probe);
    const readers = readersOf(event) as Readonly<Record<string, Read>>;
    const values: MachineHandler['values'] = { fetched: [] };
    const sources = code.fetches.map((_, i) => `values.fetched[${i}]`);
    const run = this.#own.compileHandler<(at: number) => void>(index, sources, ['at'], { values, saved: undefined });
    return {
      probe,
      run,
      values,
      longs: code.fetches.map((_, i) => readers[`f${i}`]!),
      texts: code.fetches.map((_, i) => readers[`t${i}`]),
      address: readers[ADDRESSES.find((name) => name in readers)!]!,
    };
  }

  #files(): readonly unknown[] {
    return [...this.#byEvent.values()].map(({ probe }) => this.#instance!.events.of(probe.event));
  }
}

/** @throws Error for what needs the thread itself, which is past the hit when its handler runs */
function refuse({ reads, saves, name }: HandlerCode): void {
  if (readsStack(reads)) throw new Error(`${name}: the stack of machine code is gone when a handler runs: it cannot be read`);
  if (saves !== undefined) throw new Error(`${name}: what a call had at its entry cannot be had at the end of machine code`);
}

/** A handler as a probe event, with the texts that its values may be addresses of, or without. */
function definitionOf({ fetches, point }: HandlerCode, symbol: string, event: string): (withTexts: boolean) => ProbeDefinition {
  const { at, module, maxactive = 0 } = point as FunctionPoint;
  const longs = fetches.map(
    (fetch, i): ProbeArgument => ({
      name: `f${i}`,
      text: '',
      fetch,
      type: { name: 's64' },
      ...(fetch.kind === 'variable' && { takesType: true }),
    }),
  );
  const texts = fetches.map(
    (fetch, i): ProbeArgument => ({
      name: `t${i}`,
      text: '',
      fetch: { kind: 'dereference', of: fetch, offset: 0 },
      type: { name: 'string' },
    }),
  );
  const place = { kind: 'symbol', symbol, offset: 0, ...(module !== undefined && { module }) } as const;
  const common = { kind: KINDS[at], group: 'scripts', event, place, maxactive } as const;
  return (withTexts) => ({ ...common, args: withTexts ? [...longs, ...texts] : longs });
}
