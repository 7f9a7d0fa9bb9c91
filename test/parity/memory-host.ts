import { writeMark, writeRawMark } from '../../src/agent/marker.js';
import { TEXT_HIGH } from '../../src/arch/arch.js';
import type {
  CpuBuffer,
  FilterName,
  FunctionTable,
  InstanceHost,
  ProfilerHost,
  StackTracerHost,
  TraceHost,
} from '../../src/core/host.js';
import { HwlatSettings } from '../../src/core/hwlat-settings.js';
import { MaxTrace } from '../../src/core/max-trace.js';
import { DEFAULT_OPTIONS, type OptionFlags } from '../../src/core/options.js';
import type { PidFileName, PidList } from '../../src/core/pid-list.js';
import { PidLists } from '../../src/core/pid-lists.js';
import { SavedCmdlines } from '../../src/core/saved-cmdlines.js';
import { SymbolTable, TRACING_MARK_WRITE } from '../../src/core/symbols.js';
import type { SysctlName, Sysctls } from '../../src/core/sysctl.js';
import type { ProbeEvent } from '../../src/ftrace/commands/command-word.js';
import { FunctionProbes } from '../../src/ftrace/commands/function-probes.js';
import type { FunctionFilter } from '../../src/ftrace/function-filter.js';
import { EMPTY_HASH } from '../../src/ftrace/hash.js';
import {
  ClockedWriter,
  type ClockReading,
  clockReading,
  createRingBuffer,
  DEFAULT_SUBBUF_BYTES,
  moveRing,
  RingBufferReader,
  RingBufferWriter,
  type TraceClock,
  traceClock,
} from '../../src/ring-buffer/index.js';
import { isLatencyTracer } from '../../src/tracers/latency/latency-tracer.js';
import type { RecordWriter } from '../../src/tracers/record-writer.js';

import type { TracerName } from '../../src/tracers/runtime.js';

/** Functions of the real kernel that the scripts speak of, in the order of its text. */
const FUNCTIONS = [
  'vfs_open',
  'vfs_readv',
  'vfs_read',
  'vfs_write',
  'vfs_rmdir',
  'vfs_rename',
  'vfs_readlink',
  'security_file_open',
  'schedule',
];
const TEXT = 0x81000000;
const FUNCTION_SIZE = 0x40;
const KERNEL_BUFFER_BYTES = 1408 * 1024;

class MemoryBuffer implements CpuBuffer {
  readonly cpu: number;
  bytes = KERNEL_BUFFER_BYTES;
  #reader: RingBufferReader | undefined;
  #writer: RingBufferWriter | undefined;

  constructor(cpu: number) {
    this.cpu = cpu;
  }

  get reader(): RingBufferReader | undefined {
    return this.#reader;
  }

  writer(recording: boolean): RingBufferWriter {
    if (this.#writer === undefined) {
      const memory = createRingBuffer(this.bytes, undefined, { recording });
      this.#reader = new RingBufferReader(memory);
      this.#writer = new RingBufferWriter(memory);
    }
    return this.#writer;
  }

  resize(bytes: number): void {
    this.bytes = bytes;
    if (this.#reader === undefined) return;
    const target = createRingBuffer(bytes);
    this.#reader.expectMove(target);
    moveRing(this.#reader.memory, target);
    this.#writer = new RingBufferWriter(target);
  }
}

/** A process of two threads and a few functions, none of which runs. */
export class MemoryHost implements TraceHost {
  readonly symbols = new SymbolTable();
  readonly top = new MemoryInstance(this);
  readonly instances = [this.top];
  readonly profiler = new MemoryProfiler();
  readonly stackTracer = new MemoryStackTracer();
  readonly cmdlines = new SavedCmdlines();

  readonly #sysctls = new Map<SysctlName, number>();

  constructor() {
    this.symbols.add(TEXT_HIGH, [TRACING_MARK_WRITE]);
  }

  get functions(): FunctionTable {
    return {
      numbers: () => FUNCTIONS.keys(),
      count: FUNCTIONS.length,
      name: (n) => FUNCTIONS[n]!,
      module: () => '',
      low: (n) => TEXT + n * FUNCTION_SIZE,
      high: TEXT_HIGH,
      params: () => [],
      reason: () => undefined,
      location: () => 'vmlinux:1:1',
      refs: (n) => this.instances.reduce((sum, instance) => sum + instance.references(n), 0),
      touched: (n) => this.instances.some((instance) => instance.references(n) > 0),
      wantsRegs: () => false,
      trampoline: () => 'function_trace_call',
      totalInfo: () => `${FUNCTIONS.length} pages:1 groups: 1\n`,
    };
  }

  get sysctls(): Sysctls {
    const values = this.#sysctls;
    return { get: (name) => values.get(name) ?? 0, set: (name, value) => values.set(name, value) };
  }

  now(): number {
    return traceClock();
  }

  comm(pid: number): string | undefined {
    return this.cmdlines.get(pid);
  }

  comms(): Iterable<readonly [number, string]> {
    return this.cmdlines;
  }

  saw(pid: number, comm: string): void {
    this.cmdlines.set(pid, comm);
  }

  addInstance(options: OptionFlags): MemoryInstance {
    const instance = new MemoryInstance(this);
    instance.options = options;
    this.instances.push(instance);
    return instance;
  }

  removeInstance(instance: InstanceHost): void {
    this.instances.splice(this.instances.indexOf(instance as MemoryInstance), 1);
  }
}

/** The events that the scripts switch by commands. */
const EVENTS: readonly ProbeEvent[] = ['sched_switch', 'sched_wakeup'].map((name, index) => ({ system: 'sched', name, index }));

/** No thread has a stack. */
class MemoryStackTracer implements StackTracerHost {
  enabled = 0;
  maxSize = 0;
  filter: FunctionFilter = EMPTY_HASH;

  setEnabled(value: number): void {
    this.enabled = value;
  }

  setMaxSize(bytes: number): void {
    this.maxSize = bytes;
  }

  setFilter(filter: FunctionFilter): void {
    this.filter = filter;
  }

  stack(): undefined {
    return undefined;
  }
}

/** Nothing runs, so nothing is counted. */
class MemoryProfiler implements ProfilerHost {
  isOn = false;

  setOn(on: boolean): void {
    this.isOn = on;
  }

  rows(): readonly [] {
    return [];
  }
}

const COUNTER = new BigInt64Array(new SharedArrayBuffer(8));

class MemoryInstance implements InstanceHost {
  readonly cpus = [new MemoryBuffer(0), new MemoryBuffer(1)];
  readonly hwlat = new HwlatSettings(() => {});
  readonly maximum = new MaxTrace();
  tracer: TracerName = 'nop';
  options: OptionFlags = DEFAULT_OPTIONS;
  readonly #process: MemoryHost;
  readonly #filters = new Map<FilterName, FunctionFilter>();
  readonly #pids = new PidLists();
  readonly probes = new FunctionProbes({ added() {}, removed() {} });
  #reading: ClockReading | undefined;
  #on = true;

  constructor(process: MemoryHost) {
    this.#process = process;
  }

  filter(which: FilterName): FunctionFilter {
    return this.#filters.get(which) ?? EMPTY_HASH;
  }

  setFilter(which: FilterName, filter: FunctionFilter): void {
    this.#filters.set(which, filter);
  }

  applyProbes(): void {}

  findEvent(system: string, name: string): ProbeEvent | undefined {
    return EVENTS.find((event) => event.system === system && event.name === name);
  }

  pids(name: PidFileName): PidList {
    return this.#pids.get(name);
  }

  lookAtPids(): void {}

  setPids(name: PidFileName, list: PidList): void {
    this.#pids.set(name, list);
  }

  setTracer(name: TracerName): void {
    this.tracer = name;
    if (isLatencyTracer(name)) this.maximum.restart(1, DEFAULT_SUBBUF_BYTES);
    for (const buffer of this.cpus) buffer.writer(this.#on);
  }

  setTracingOn(on: boolean): void {
    this.#on = on;
    for (const { reader } of this.cpus) reader?.setDisabled('tracingOn', !on);
  }

  setOptions(options: OptionFlags): void {
    this.options = options;
  }

  setMaxGraphDepth(): void {}
  setThreshold(): void {}

  resize(cpu: number, bytes: number): void {
    for (const buffer of this.cpus) if (cpu < 0 || buffer.cpu === cpu) buffer.resize(bytes);
  }

  setClock(clock: TraceClock): void {
    this.#reading = clockReading(clock, COUNTER);
    this.cpus[0]!.writer(this.#on).forgetTime();
  }

  now(): number {
    const ns = traceClock();
    return this.#reading?.(ns) ?? ns;
  }

  #writer(): RecordWriter {
    const writer = this.cpus[0]!.writer(this.#on);
    return this.#reading === undefined ? writer : new ClockedWriter(writer, this.#reading);
  }

  mark(text: Uint8Array, pid: number, comm: string): boolean {
    this.#process.saw(pid, comm);
    return writeMark(this.#writer(), TEXT_HIGH, text, pid);
  }

  markRaw(bytes: Uint8Array, pid: number, comm: string): boolean {
    this.#process.saw(pid, comm);
    return writeRawMark(this.#writer(), bytes, pid);
  }

  references(n: number): number {
    return this.probes.all.filter(({ functions }) => functions.has(n)).length + (this.#isTraced(n) ? 1 : 0);
  }

  #isTraced(n: number): boolean {
    const filter = this.filter('filter');
    const wanted = filter === EMPTY_HASH || filter.functions.has(n);
    const isQuiet = this.tracer === 'nop' || (isLatencyTracer(this.tracer) && !this.options['function-trace']);
    return !isQuiet && wanted && !this.filter('notrace').functions.has(n);
  }
}
