import { TraceError } from '../../src/base/errno.js';
import type { FunctionTable } from '../../src/control/ftrace/function-table.js';
import { HwlatSettings } from '../../src/control/hwlat/hwlat-settings.js';
import { MaxTrace } from '../../src/control/latency/max-trace.js';
import type { Livepatches } from '../../src/control/livepatch/livepatch.js';
import type { KprobeList } from '../../src/control/probes/kprobe-list.js';
import type { ProbeSource } from '../../src/control/probes/probe-source.js';
import type { SysctlName, Sysctls } from '../../src/control/process/sysctl.js';
import type { FunctionProfiler, StackTracer, TracedProcess } from '../../src/control/process/traced-process.js';
import { SavedCmdlines } from '../../src/control/tasks/saved-cmdlines.js';
import type { InstanceBackend } from '../../src/control/trace-array/instance-backend.js';
import type { ThreadBuffer } from '../../src/control/trace-array/thread-buffer.js';
import { type Movers, ThreadBuffers } from '../../src/control/trace-array/thread-buffers.js';
import { EventWords } from '../../src/events/event-words.js';
import { PrintkFormats } from '../../src/events/printk-formats.js';
import { EventRegistry } from '../../src/events/registry.js';
import { FunctionProbes } from '../../src/ftrace/commands/function-probes.js';
import type { FilterName, FunctionFilter } from '../../src/ftrace/function-filter.js';
import { EMPTY_HASH } from '../../src/ftrace/hash.js';
import { writeMark, writeRawMark } from '../../src/ftrace/marker.js';
import { DEFAULT_OPTIONS, type OptionFlags } from '../../src/ftrace/options.js';
import type { PidFileName, PidList } from '../../src/ftrace/pid-list.js';
import { PidLists } from '../../src/ftrace/pid-lists.js';
import { SymbolTable, TRACING_MARK_WRITE } from '../../src/ftrace/symbols.js';
import { NOTHING } from '../../src/ftrace/tracers/features.js';
import type { RecordWriter } from '../../src/ftrace/tracers/record-writer.js';
import type { TracerName } from '../../src/ftrace/tracers/tracers.js';
import { isLatencyTracer } from '../../src/ftrace/tracers/tracers.js';
import { MAX_WRITERS } from '../../src/port/limits.js';
import {
  ClockedWriter,
  type ClockReading,
  clockReading,
  createInstanceSwitch,
  DEFAULT_SUBBUF_BYTES,
  InstanceSwitch,
  RingBufferWriter,
  type TraceClock,
  traceClock,
} from '../../src/ring-buffer/index.js';
import { AcceptingProbes } from './accepting-probes.js';
import { kernelEvents } from './kernel-events.js';
import { MemoryFaults } from './memory-faults.js';

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
const TEXT = -0x7f000000;
const FUNCTION_SIZE = 0x40;
const CPUS = 2;
const KERNEL_BUFFER_BYTES = 1408 * 1024;

const refused = (): Promise<never> => Promise.reject(new TraceError('ENOSYS'));

/** A process of two threads and a few functions, none of which runs. */
export class MemoryProcess implements TracedProcess {
  readonly lacks = NOTHING;
  readonly #symbols = new SymbolTable();
  readonly events = new EventRegistry(kernelEvents);
  readonly eventWords = new EventWords();
  readonly probes = new AcceptingProbes((name) => FUNCTIONS.includes(name));
  readonly top = new MemoryInstance(this);
  readonly instances = [this.top];
  readonly profiler = new MemoryProfiler();
  readonly stackTracer = new MemoryStackTracer();
  readonly cmdlines = new SavedCmdlines();
  readonly printkFormats = new PrintkFormats();
  /** It loads no files. */
  readonly livepatches: Livepatches = { all: [], followed: [], follow: refused, load: refused, prepare: refused };
  readonly faults = new MemoryFaults([...FUNCTIONS, '__x64_sys_arch_prctl', '__do_sys_ni_syscall']);
  readonly kprobes: KprobeList = { all: async () => [], blacklist: () => [], areArmed: true, setArmed: refused };
  /** It has no sources. */
  readonly probeSource: ProbeSource = { place: () => undefined, lines: refused, variables: refused };

  readonly #sysctls = new Map<SysctlName, number>();

  constructor() {
    this.#symbols.add([TRACING_MARK_WRITE]);
  }

  symbols(): SymbolTable {
    return this.#symbols;
  }

  functions(): FunctionTable {
    return {
      numbers: () => FUNCTIONS.keys(),
      count: FUNCTIONS.length,
      name: (n) => FUNCTIONS[n]!,
      find: (name, module) => (module === undefined ? [...FUNCTIONS.keys()].filter((n) => FUNCTIONS[n] === name) : []),
      module: () => '',
      address: (n) => TEXT + n * FUNCTION_SIZE,
      params: () => [],
      reason: () => undefined,
      location: () => 'vmlinux:1:1',
      refs: (n) => this.instances.reduce((sum, instance) => sum + instance.references(n), 0),
      touched: (n) => this.instances.some((instance) => instance.references(n) > 0),
      wantsRegs: () => false,
      isModified: () => false,
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

  syscallName(): undefined {
    return undefined;
  }

  isOwnTask(pid: number): boolean {
    return this.cmdlines.isOwn(pid);
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

  removeInstance(instance: InstanceBackend): void {
    this.instances.splice(this.instances.indexOf(instance as MemoryInstance), 1);
  }
}

/** No thread has a stack. */
class MemoryStackTracer implements StackTracer {
  enabled = 0;
  maxSize = 0n;
  #filter: FunctionFilter = EMPTY_HASH;

  filter(): FunctionFilter {
    return this.#filter;
  }

  setEnabled(value: number): void {
    this.enabled = value;
  }

  setMaxSize(bytes: bigint): void {
    this.maxSize = bytes;
  }

  setFilter(filter: FunctionFilter): void {
    this.#filter = filter;
  }

  stack(): undefined {
    return undefined;
  }
}

/** Nothing runs, so nothing is counted. */
class MemoryProfiler implements FunctionProfiler {
  isOn = false;

  setOn(on: boolean): void {
    this.isOn = on;
  }

  rows(): readonly [] {
    return [];
  }
}

const COUNTER = new BigInt64Array(new SharedArrayBuffer(8));

class MemoryInstance implements InstanceBackend {
  readonly #buffers = new ThreadBuffers(KERNEL_BUFFER_BYTES, true, new InstanceSwitch(createInstanceSwitch(MAX_WRITERS)));
  /** Of cpu 0, where all marks are written. */
  #writer: RingBufferWriter | undefined;
  readonly hwlat = new HwlatSettings(() => {});
  readonly maximum = new MaxTrace();
  tracer: TracerName = 'nop';
  options: OptionFlags = DEFAULT_OPTIONS;
  readonly #process: MemoryProcess;
  readonly #filters = new Map<FilterName, FunctionFilter>();
  readonly #pids = new PidLists();
  readonly #probes = new FunctionProbes({ added() {}, removed() {} });
  #reading: ClockReading | undefined;

  constructor(process: MemoryProcess) {
    this.#process = process;
    for (let cpu = 0; cpu < CPUS; cpu++) this.#buffers.of(cpu);
  }

  probes(): FunctionProbes {
    return this.#probes;
  }

  cpus(): readonly ThreadBuffer[] {
    return this.#buffers.all;
  }

  filter(which: FilterName): FunctionFilter {
    return this.#filters.get(which) ?? EMPTY_HASH;
  }

  setFilter(which: FilterName, filter: FunctionFilter): void {
    this.#filters.set(which, filter);
  }

  applyProbes(): void {}

  setEvents(): void {
    this.#ownWriter();
    this.#buffers.memory(1);
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
    this.#ownWriter();
    this.#buffers.memory(1);
  }

  get tracingOn(): boolean {
    return this.#buffers.instance.tracingOn;
  }

  setTracingOn(on: boolean): void {
    this.#buffers.instance.setOff('tracingOn', !on);
  }

  setPaused(paused: boolean): void {
    this.#buffers.instance.setOff('paused', paused);
  }

  setMask(isMasked: (cpu: number) => boolean): void {
    this.#buffers.setMask(isMasked);
  }

  get hasSnapshot(): boolean {
    return this.#buffers.hasSnapshot;
  }

  allocateSnapshot(): void {
    this.#buffers.allocateSnapshot();
    for (const { cpu } of this.cpus()) this.#buffers.spare(cpu);
    this.#writer?.setSpare(this.#buffers.spare(0));
  }

  freeSnapshot(): void {
    this.#buffers.freeSnapshot();
    this.#writer?.setSpare(undefined);
    this.#buffers.dropSnapshot();
  }

  async takeSnapshot(): Promise<void> {
    await this.#buffers.fitSnapshot(this.#movers);
    this.#buffers.instance.swap();
    this.#writer?.takeSnapshot();
    this.cpus()[1]!.thread.follow();
    if (this.#writer === undefined) this.cpus()[0]!.thread.follow();
  }

  setOptions(options: OptionFlags): void {
    this.options = options;
    this.#buffers.setOverwrite(options.overwrite);
  }

  setMaxGraphDepth(): void {}
  setThreshold(): void {}

  resize(cpu: number, bytes: number): Promise<void> {
    return this.#buffers.resize(cpu, bytes, this.#movers);
  }

  setClock(clock: TraceClock): void {
    this.#reading = clockReading(clock, COUNTER);
    this.#ownWriter().forgetTime();
  }

  now(): number {
    const ns = traceClock();
    return this.#reading?.(ns) ?? ns;
  }

  #markWriter(): RecordWriter {
    const writer = this.#ownWriter();
    return this.#reading === undefined ? writer : new ClockedWriter(writer, this.#reading);
  }

  mark(text: Uint8Array, pid: number, comm: string): boolean {
    this.#process.saw(pid, comm);
    return writeMark(this.#markWriter(), text, pid);
  }

  markRaw(bytes: Uint8Array, pid: number, comm: string): boolean {
    this.#process.saw(pid, comm);
    return writeRawMark(this.#markWriter(), bytes, pid);
  }

  readonly #movers: Movers = {
    thread: (cpu) => {
      const writer = this.#writer;
      if (cpu !== 0 || writer === undefined) return undefined;
      return async (memory, half) => void writer.moveTo(memory, half);
    },
    own: () => undefined,
  };

  #ownWriter(): RingBufferWriter {
    if (this.#writer === undefined) {
      this.#writer = new RingBufferWriter(this.#buffers.memory(0), this.#buffers.instance, 0);
      this.#writer.setSpare(this.#buffers.spare(0));
    }
    return this.#writer;
  }

  references(n: number): number {
    return this.#probes.all.filter(({ functions }) => functions.has(n)).length + (this.#isTraced(n) ? 1 : 0);
  }

  #isTraced(n: number): boolean {
    const filter = this.filter('filter');
    const wanted = filter === EMPTY_HASH || filter.functions.has(n);
    const isQuiet = this.tracer === 'nop' || (isLatencyTracer(this.tracer) && !this.options['function-trace']);
    return !isQuiet && wanted && !this.filter('notrace').functions.has(n);
  }
}
