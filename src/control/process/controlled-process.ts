import type { TraceEvent } from '../../events/define.js';
import type { EventWords } from '../../events/event-words.js';
import type { PrintkFormats } from '../../events/printk-formats.js';
import type { EventRegistry } from '../../events/registry.js';
import type { OptionFlags } from '../../ftrace/options.js';
import type { SymbolTable, TextSymbol } from '../../ftrace/symbols.js';
import type { PortFeature } from '../../ftrace/tracers/features.js';
import { traceClock } from '../../ring-buffer/index.js';
import type { FaultInjection } from '../faults/fault-injection.js';
import { ProcessFaults } from '../faults/process-faults.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import { TOP_INSTANCE } from '../ftrace/instance-tracer.js';
import { processFunctions } from '../ftrace/process-functions.js';
import type { Livepatches } from '../livepatch/livepatch.js';
import type { KprobeList } from '../probes/kprobe-list.js';
import type { ProbeBackend } from '../probes/probe-backend.js';
import type { ProbeSource } from '../probes/probe-source.js';
import { ProcessKprobeList } from '../probes/process-kprobe-list.js';
import { ProcessProfiler } from '../profiler/process-profiler.js';
import { ProcessStackTracer } from '../stack-tracer/process-stack-tracer.js';
import type { SavedCmdlines } from '../tasks/saved-cmdlines.js';
import { TaskNames } from '../tasks/task-names.js';
import type { InstanceBackend } from '../trace-array/instance-backend.js';
import { ProcessInstance } from '../trace-array/process-instance.js';
import type { ThreadBuffer } from '../trace-array/thread-buffer.js';
import type { Warn } from '../tracefs/attached-file.js';
import { type ProcessOptions, ProcessState } from './process-state.js';
import type { Sysctls } from './sysctl.js';
import type { TracedProcess } from './traced-process.js';

/** What the process is created with. */
export interface ControlledProcessOptions extends ProcessOptions {
  /** Data bytes of each thread's buffer. */
  readonly bufferBytes: number;
  /** The process was started with tp_printk: tracepoint_printk has an effect. */
  readonly hasConsole?: boolean;
}

/** The process as the tree sees it. Runs on the control thread. */
export class ControlledProcess implements TracedProcess {
  readonly #options: ControlledProcessOptions;
  readonly #process: ProcessState;
  readonly #names: TaskNames;
  #lastInstance = TOP_INSTANCE;
  readonly top: ProcessInstance;
  readonly profiler: ProcessProfiler;
  readonly stackTracer: ProcessStackTracer;
  readonly livepatches: Livepatches;
  readonly faults: FaultInjection;
  readonly sysctls: Sysctls;
  readonly events: EventRegistry;
  readonly eventWords: EventWords;
  readonly probes: ProbeBackend;
  readonly probeSource: ProbeSource;
  readonly kprobes: KprobeList;

  constructor(options: ControlledProcessOptions) {
    this.#options = options;
    const process = new ProcessState(options);
    const { port, cmdlines, contexts, tracer } = process;
    const obeyed = (): Promise<void> => process.obeyed();
    this.#process = process;
    this.#names = new TaskNames(cmdlines, contexts);
    this.top = new ProcessInstance(process, tracer.top, options.bufferBytes, port.topSwitch);
    process.instances.push(this.top);
    this.stackTracer = new ProcessStackTracer(
      tracer,
      obeyed,
      () => port.canMeasureStacks(),
      (bytes) => port.allocate(bytes),
    );
    this.profiler = new ProcessProfiler(tracer, {
      functionCount: () => tracer.functionCount(),
      obeyed,
      joined: process.joined,
      ...(port.createProfile && { create: port.createProfile.bind(port) }),
    });
    this.livepatches = process.livepatches;
    this.faults = new ProcessFaults(tracer, process.table, obeyed, (n) => port.machineCode?.has(n) === true);
    this.sysctls = {
      get: (name) => (name === 'max_text_size' ? process.textSize : port.flags.get(name)),
      set(name, value) {
        if (name === 'max_text_size') process.setTextSize(value);
        else port.flags.set(name, name === 'tracepoint_printk' && options.hasConsole !== true ? 0 : value);
      },
    };
    this.events = process.events;
    this.eventWords = process.eventWords;
    this.probes = process.probes;
    this.probeSource = process.probeSource;
    this.kprobes = new ProcessKprobeList(process);
  }

  /** Connects to the threads that already run. Settings for their first functions must be made before. */
  start(): void {
    this.#process.start();
  }

  /** Calls `warn` with what could not be done. */
  onUnreached(warn: Warn): void {
    this.#process.warn = warn;
    this.#process.tracer.onUnnamed((count, tracer) =>
      warn(`${count} functions were loaded before fentry and are not traced: name them in set_ftrace_filter`, tracer),
    );
  }

  /** Resolves when the functions that were loaded before fentry was attached are listed; rejects as a change does. */
  async earlyFunctionsListed(): Promise<void> {
    await this.#process.port.earlyTexts(() => this.obeyed());
    await this.obeyed();
  }

  /** The buffers of the top level. */
  cpus(): readonly ThreadBuffer[] {
    return this.top.cpus();
  }

  addInstance(options: OptionFlags): ProcessInstance {
    const { settings, bufferBytes } = this.#options;
    const tracer = this.#process.tracer.addInstance(++this.#lastInstance, { ...settings, options });
    const instance = new ProcessInstance(this.#process, tracer, bufferBytes);
    for (const { cpu } of this.top.cpus()) instance.addCpu(cpu);
    for (const [cpu, other] of this.#process.joined) instance.joinCpus(cpu, other);
    this.#process.instances.push(instance);
    return instance;
  }

  removeInstance(instance: InstanceBackend): Promise<void> {
    const { instances, contexts, tracer } = this.#process;
    const removed = instance as ProcessInstance;
    instances.splice(instances.indexOf(removed), 1);
    contexts.setPids(removed.tracer.instance, 'functions', undefined);
    contexts.setPids(removed.tracer.instance, 'events', undefined);
    tracer.removeInstance(removed.tracer);
    return removed.close();
  }

  /** Ends all tracing and makes every thread detach; rejects as a change does. */
  detach(): Promise<void> {
    const { tracer, livepatches, contexts, threads } = this.#process;
    livepatches.clear();
    tracer.end();
    contexts.setOn(false);
    for (const thread of threads.living) thread.post({ type: 'detach' });
    return this.obeyed();
  }

  /** Resolves when every thread has obeyed; rejects when one is blocked. */
  obeyed(): Promise<void> {
    return this.#process.obeyed();
  }

  symbols(): SymbolTable {
    const { table, tracer } = this.#process;
    tracer.decode();
    return table.symbols();
  }

  /** Symbols of texts that were linked since the last call. */
  newSymbols(): readonly TextSymbol[] {
    const { table, tracer } = this.#process;
    tracer.decode();
    return table.newSymbols();
  }

  /** Events that the top level first recorded since the last call. */
  newEvents(): readonly TraceEvent[] {
    return this.top.newEvents();
  }

  /** See Port. */
  heardSignals(signal: number): number {
    return this.#process.port.heardSignals?.(signal) ?? 0;
  }

  functions(): FunctionTable {
    const { table, tracer } = this.#process;
    tracer.decode();
    return processFunctions(table, tracer);
  }

  get lacks(): ReadonlySet<PortFeature> {
    return this.#process.port.lacks;
  }

  get readsTsc(): boolean | undefined {
    return this.#process.port.readsTsc;
  }

  now(): number {
    return traceClock();
  }

  get printkFormats(): PrintkFormats {
    return this.#process.printkFormats;
  }

  get cmdlines(): SavedCmdlines {
    return this.#process.cmdlines;
  }

  comm(pid: number): string | undefined {
    return this.#names.comm(pid);
  }

  comms(): Iterable<readonly [number, string]> {
    return this.#names.comms();
  }

  syscallName(nr: bigint): string | undefined {
    return this.#process.port.syscallName(nr);
  }

  isOwnTask(pid: number): boolean {
    return this.#names.isOwn(pid);
  }
}
