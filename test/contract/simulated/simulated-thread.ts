import { OPS_ID } from '../../../src/ftrace/ops.js';
import { SERVICE_OPS, type ServiceKind, type StackTracerConfig } from '../../../src/ftrace/tracers/services.js';
import type { TracerConfig } from '../../../src/ftrace/tracers/tracer-config.js';
import type { PortCommand, TaskPids, TracedThread } from '../../../src/port/port.js';
import { InstanceSwitch, RingBufferWriter } from '../../../src/ring-buffer/index.js';
import type { SimulatedSites } from './simulated-sites.js';
import { createStackTracer, type StackTracer } from './simulated-stack-tracer.js';
import type { SimulatedText } from './simulated-text.js';
import { type Call, createTracer, type SimulatedTracer } from './simulated-tracers.js';

const TOP = 0;

type Command<Type extends PortCommand['type']> = Extract<PortCommand, { type: Type }>;
type Handlers = { readonly [Type in PortCommand['type']]?: (thread: SimulatedThread, command: Command<Type>) => void };

const HANDLERS: Handlers = {
  buffer: (thread, command) => thread.setBuffer(command),
  spare: (thread, { instance, buffer }) => thread.writer(instance)?.setSpare(buffer),
  snapshot: (thread, { instance }) => void thread.writer(instance)?.takeSnapshot(),
  resize: (thread, { instance, half, buffer }) => void thread.writer(instance)?.moveTo(buffer, half),
  tracer: (thread, { config }) => thread.setTracer(OPS_ID.TRACER, TOP, config),
  instanceTracer: (thread, { instance, ops, config }) => thread.setTracer(ops, instance, config),
  removeInstance: (thread, { instance }) => thread.removeInstance(instance),
  service: (thread, { kind, config }) => thread.setService(kind, config),
  taskPids: (thread, { slot, lists }) => thread.setPids(slot, lists),
};

interface InstanceTracer {
  readonly instance: number;
  readonly tracer: SimulatedTracer;
  /** TracerConfig.ignoredBit */
  readonly ignoredBit: number;
}

/** A thread of a simulated machine: it runs one call after the other, and obeys at once. */
export class SimulatedThread implements TracedThread {
  readonly cpu: number;
  readonly tid: number;
  readonly parent = 0;
  readonly comm = 'simulated';
  readonly isBehind = false;
  readonly sites: SimulatedSites;
  readonly #text: SimulatedText;
  readonly #writers = new Map<number, RingBufferWriter>();
  /** By ops id. */
  readonly #tracers = new Map<number, InstanceTracer>();
  #stackTracer: StackTracer | undefined;
  /** The pid lists that tracers look at, by their bit. */
  readonly #pids = new Map<number, TaskPids>();

  constructor(text: SimulatedText, sites: SimulatedSites, cpu: number, tid: number) {
    this.#text = text;
    this.sites = sites;
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

  setTracer(ops: number, instance: number, config: TracerConfig): void {
    this.#tracers.set(ops, { instance, tracer: createTracer(config), ignoredBit: config.ignoredBit });
  }

  setService(kind: ServiceKind, config: unknown): void {
    if (kind === 'stack') this.#stackTracer = createStackTracer(config as StackTracerConfig | undefined);
  }

  setPids(slot: number, lists: TaskPids | undefined): void {
    if (lists === undefined) this.#pids.delete(1 << slot);
    else this.#pids.set(1 << slot, lists);
  }

  removeInstance(instance: number): void {
    this.#writers.delete(instance);
    for (const [ops, one] of this.#tracers) if (one.instance === instance) this.#tracers.delete(ops);
  }

  /** Calls a function. */
  call(n: number, callers: readonly number[] = []): void {
    const ip = this.sites.address(n);
    const call = { n, ip, callers, pid: this.tid };
    const ops = [...this.sites.ops(n)];
    for (const id of ops) this.#tell(id, 'enter', call);
    for (const [callee, returnAddress] of this.#text.calls(n)) this.call(callee, [returnAddress, ...callers]);
    for (const id of ops.reverse()) this.#tell(id, 'leave', call);
  }

  #tell(ops: number, what: 'enter' | 'leave', call: Call): void {
    if (ops === SERVICE_OPS.stack && what === 'enter') this.#stackTracer?.(call);
    const known = this.#tracers.get(ops);
    const writer = known && this.#writers.get(known.instance);
    if (writer !== undefined && !this.#ignores(known!)) known!.tracer[what]?.(call, writer);
  }

  #ignores({ ignoredBit }: InstanceTracer): boolean {
    const lists = this.#pids.get(ignoredBit);
    return lists?.pids?.includes(this.tid) === false || lists?.notrace?.includes(this.tid) === true;
  }
}
