import type { LinkedFunctions, PortCommand, TracedThread } from '../../../src/arch/port.js';
import { OPS_ID } from '../../../src/ftrace/ops.js';
import { NO_OPS } from '../../../src/ftrace/ops-lists.js';
import { InstanceSwitch, RingBufferWriter } from '../../../src/ring-buffer/index.js';
import type { SimulatedText } from './simulated-text.js';
import { type Call, createTracer, type SimulatedTracer } from './simulated-tracers.js';

const TOP = 0;

/** Who calls the first function of a run: nothing that has a name. */
const NOBODY = 0;

type Command<Type extends PortCommand['type']> = Extract<PortCommand, { type: Type }>;
type Handlers = { readonly [Type in PortCommand['type']]?: (thread: SimulatedThread, command: Command<Type>) => void };

const HANDLERS: Handlers = {
  buffer: (thread, command) => thread.setBuffer(command),
  spare: (thread, { instance, buffer }) => thread.writer(instance)?.setSpare(buffer),
  snapshot: (thread, { instance }) => void thread.writer(instance)?.takeSnapshot(),
  resize: (thread, { instance, half, buffer }) => void thread.writer(instance)?.moveTo(buffer, half),
  functions: (thread, { functions }) => thread.describe(functions),
  tracer: (thread, { config }) => thread.setTracer(OPS_ID.TRACER, TOP, createTracer(config)),
  instanceTracer: (thread, { instance, ops, config }) => thread.setTracer(ops, instance, createTracer(config)),
  removeInstance: (thread, { instance }) => thread.removeInstance(instance),
  patch: (thread, { patches }) => thread.patch(patches),
};

interface InstanceTracer {
  readonly instance: number;
  readonly tracer: SimulatedTracer;
}

/** A thread of a simulated machine: it runs one call after the other, and obeys at once. */
export class SimulatedThread implements TracedThread {
  readonly cpu: number;
  readonly tid: number;
  readonly parent = 0;
  readonly comm = 'simulated';
  readonly isBehind = false;
  readonly #text: SimulatedText;
  readonly #writers = new Map<number, RingBufferWriter>();
  /** By ops id. */
  readonly #tracers = new Map<number, InstanceTracer>();
  readonly #addresses = new Map<number, number>();
  /** By number of the list: ops ids. */
  readonly #lists = new Map<number, readonly number[]>();
  /** By function number: the number of the list that its site calls. */
  readonly #sites = new Map<number, number>();

  constructor(text: SimulatedText, cpu: number, tid: number) {
    this.#text = text;
    this.cpu = cpu;
    this.tid = tid;
  }

  post(command: PortCommand): void {
    HANDLERS[command.type]?.(this, command as never);
  }

  send(command: PortCommand): Promise<void> {
    this.post(command);
    return Promise.resolve();
  }

  settled(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  writer(instance: number): RingBufferWriter | undefined {
    return this.#writers.get(instance);
  }

  setBuffer({ instance, buffer, words }: Command<'buffer'>): void {
    this.#writers.set(instance, new RingBufferWriter(buffer, new InstanceSwitch(words), this.cpu));
  }

  setTracer(ops: number, instance: number, tracer: SimulatedTracer): void {
    this.#tracers.set(ops, { instance, tracer });
  }

  removeInstance(instance: number): void {
    this.#writers.delete(instance);
    for (const [ops, one] of this.#tracers) if (one.instance === instance) this.#tracers.delete(ops);
  }

  describe({ firstFunction, addresses }: LinkedFunctions): void {
    addresses.forEach((low, index) => {
      this.#addresses.set(firstFunction + index, low);
    });
  }

  patch({ functions, lists, added }: Command<'patch'>['patches']): void {
    for (const { list, ops } of added) this.#lists.set(list, ops);
    functions.forEach((n, index) => {
      this.#sites.set(n, lists[index]!);
    });
  }

  /** Calls a function. */
  call(n: number, caller = NOBODY): void {
    const ip = this.#addresses.get(n) ?? NOBODY;
    const call = { n, ip, parent: caller, pid: this.tid };
    const ops = this.#opsOf(n);
    for (const id of ops) this.#tell(id, 'enter', call);
    for (const callee of this.#text.calls(n)) this.call(callee, ip);
    for (const id of ops.reverse()) this.#tell(id, 'leave', call);
  }

  #opsOf(n: number): number[] {
    const list = this.#lists.get(this.#sites.get(n) ?? NO_OPS) ?? [];
    return list.filter((id) => this.#tracers.has(id));
  }

  #tell(ops: number, what: 'enter' | 'leave', call: Call): void {
    const { instance, tracer } = this.#tracers.get(ops)!;
    const writer = this.#writers.get(instance);
    if (writer !== undefined) tracer[what]?.(call, writer);
  }
}
