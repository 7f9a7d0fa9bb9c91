import type { AsyncResource } from 'node:async_hooks';
import { TraceError } from '../../base/errno.js';
import type { KprobeRegistry } from '../../ftrace/kprobes/kprobe-registry.js';
import type { FtraceRegistry } from '../../ftrace/register.js';
import type { ProgramLivepatches } from '../../ftrace/tracers/program-livepatches.js';
import { MARKS_OFF } from '../../port/port.js';
import { WORD } from '../shared/control-block.js';
import type { ProgramThread } from './program-thread.js';

/** What writes marks, and what registers the program's functions. */
type Asked = Pick<typeof import('./marks.js'), 'createTask' | 'putMark' | 'putPrintk' | 'putRawMark'> &
  Pick<typeof import('./registrations.js'), 'createKprobes' | 'createLivepatches' | 'createRegistry'>;

/** Whether the option of a kind of marks is off at the top level. */
const isMarkOff = (thread: ProgramThread, kind: number): boolean => (thread.block[WORD.MARKS_OFF]! & kind) !== 0;

/** What the program itself can ask of fentry, in the thread that it runs on. */
export class ProgramInterface {
  #thread: ProgramThread | undefined;
  readonly #tid: number;
  readonly #asked: () => Asked;
  #registry: FtraceRegistry | undefined;
  #kprobes: KprobeRegistry | undefined;
  #livepatches: ProgramLivepatches | undefined;

  /**
   * @param thread undefined if fentry could not start: then calls fail with ENODEV
   * @param asked loads what does it
   */
  constructor(thread: ProgramThread | undefined, tid: number, asked: () => Asked) {
    this.#thread = thread;
    this.#tid = tid;
    this.#asked = asked;
  }

  get registry(): FtraceRegistry {
    this.#registry ??= this.#asked().createRegistry(this.#running());
    return this.#registry;
  }

  get kprobes(): KprobeRegistry {
    this.#kprobes ??= this.#asked().createKprobes(this.#running());
    return this.#kprobes;
  }

  get livepatches(): ProgramLivepatches {
    this.#livepatches ??= this.#asked().createLivepatches(this.#running());
    return this.#livepatches;
  }

  /** The agent is detached: from now on there is nothing to trace. */
  end(): void {
    this.#thread = undefined;
    this.#registry = undefined;
    this.#kprobes = undefined;
    this.#livepatches?.end();
    this.#livepatches = undefined;
  }

  mark(text: string): void {
    const thread = this.#thread;
    if (thread !== undefined && !isMarkOff(thread, MARKS_OFF.markers)) this.#asked().putMark(thread, this.pid, text);
  }

  /** A `print` record in the name of the calling function (__trace_printk). */
  printk(format: string, values: readonly unknown[]): void {
    const thread = this.#thread;
    if (thread === undefined || !this.isTracingOn || isMarkOff(thread, MARKS_OFF.trace_printk)) return;
    this.#asked().putPrintk(thread, this.pid, format, values, this.printk);
  }

  /** The pid of the task that runs, as its records have it. */
  get pid(): number {
    return this.#thread?.tasks.pid ?? this.#tid;
  }

  /** @throws TraceError EINVAL for a pid or a name that a task cannot have */
  createTask(comm: string, pid: number): AsyncResource {
    return this.#asked().createTask(this.#thread?.cpu ?? 0, comm, pid);
  }

  /** @throws TraceError EINVAL when there are more bytes than a record takes */
  markRaw(id: number, bytes: Uint8Array): void {
    const thread = this.#thread;
    const isOff = thread === undefined || isMarkOff(thread, MARKS_OFF.markers);
    this.#asked().putRawMark(isOff ? undefined : thread, this.pid, id, bytes);
  }

  /** Switches recording at the top level, in all threads at once. */
  setTracingOn(on: boolean): void {
    this.#thread?.topSwitch.setOff('tracingOn', !on);
  }

  get isTracingOn(): boolean {
    return this.#thread?.topSwitch.tracingOn ?? false;
  }

  #running(): ProgramThread {
    if (this.#thread === undefined) throw new TraceError('ENODEV', 'fentry could not start in this process');
    return this.#thread;
  }
}
