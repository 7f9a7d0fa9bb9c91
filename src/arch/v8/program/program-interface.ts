import { TextEncoder } from 'node:util';
import { say } from '../../../agent/say.js';
import { TraceError } from '../../../base/errno.js';
import { MAX_RAW_MARK_BYTES, RAW_ID_BYTES, writeMark, writeRawMark } from '../../../core/marker.js';
import { KprobeRegistry } from '../../../ftrace/kprobe-registry.js';
import { FtraceRegistry } from '../../../ftrace/register.js';
import { MARKS_OFF } from '../../port.js';
import { textOf } from '../events/slot-values.js';
import { WORD } from '../shared/control-block.js';
import { kprobePlanner } from './kprobe-planner.js';
import { printkText } from './printk-text.js';
import type { ProgramThread } from './program-thread.js';

/** Whether the option of a kind of marks is off at the top level. */
const isMarkOff = (thread: ProgramThread, kind: number): boolean => (thread.block[WORD.MARKS_OFF]! & kind) !== 0;

/** What the program itself can ask of fentry, in the thread that it runs on. */
export class ProgramInterface {
  #thread: ProgramThread | undefined;
  readonly #tid: number;
  #registry: FtraceRegistry | undefined;
  #kprobes: KprobeRegistry | undefined;

  /** @param thread undefined if fentry could not start: then calls fail with ENODEV */
  constructor(thread: ProgramThread | undefined, tid: number) {
    this.#thread = thread;
    this.#tid = tid;
  }

  get registry(): FtraceRegistry {
    const thread = this.#running();
    this.#registry ??= new FtraceRegistry({
      addSubscriber: (id, ops) => thread.runtime.addSubscriber(id, ops),
      removeSubscriber: (id) => thread.runtime.removeSubscriber(id),
      subscribe: (request) => thread.call((call) => ({ type: 'subscribe', call, request })),
      unsubscribe: (id) => thread.call((call) => ({ type: 'unsubscribe', call, id })),
    });
    return this.#registry;
  }

  get kprobes(): KprobeRegistry {
    const thread = this.#running();
    if (this.#kprobes === undefined) {
      const kprobes = new KprobeRegistry(kprobePlanner(thread, say));
      thread.onKprobesHalted = (isHalted) => kprobes.halt(isHalted);
      this.#kprobes = kprobes;
    }
    return this.#kprobes;
  }

  /** The agent is detached: from now on there is nothing to trace. */
  end(): void {
    this.#thread = undefined;
    this.#registry = undefined;
    this.#kprobes = undefined;
  }

  mark(text: string): void {
    const thread = this.#thread;
    if (thread !== undefined && !isMarkOff(thread, MARKS_OFF.markers)) this.#put(thread, text);
  }

  /** A `print` record in the name of the calling function (__trace_printk). */
  printk(format: string, values: readonly unknown[]): void {
    const thread = this.#thread;
    if (thread === undefined || !this.isTracingOn || isMarkOff(thread, MARKS_OFF.trace_printk)) return;
    this.#put(thread, printkText(textOf(format), values), thread.runtime.callerAddress());
  }

  #put(thread: ProgramThread, text: string, ip?: number): void {
    const bytes = new TextEncoder().encode(text);
    const writer = thread.writers.get();
    if (writer === undefined) {
      thread.tell({ type: 'mark', text: bytes, ...(ip !== undefined && { ip }) });
      return;
    }
    const isRecorded = writeMark(writer, bytes, this.pid, ip);
    if (isRecorded && ip === undefined) thread.runtime.events.marked(text);
    thread.runtime.eventRecorded();
  }

  /** The pid of the task that runs, as its records have it. */
  get pid(): number {
    return this.#thread?.tasks.pid ?? this.#tid;
  }

  /** @throws TraceError EINVAL when there are more bytes than a record takes */
  markRaw(id: number, bytes: Uint8Array): void {
    if (RAW_ID_BYTES + bytes.length > MAX_RAW_MARK_BYTES) {
      throw new TraceError('EINVAL', `more than ${MAX_RAW_MARK_BYTES - RAW_ID_BYTES} bytes`);
    }
    const thread = this.#thread;
    if (thread === undefined || isMarkOff(thread, MARKS_OFF.markers)) return;
    const record = new Uint8Array(RAW_ID_BYTES + bytes.length);
    new DataView(record.buffer).setUint32(0, id, true);
    record.set(bytes, RAW_ID_BYTES);
    const writer = thread.writers.get();
    if (writer === undefined) {
      thread.tell({ type: 'raw mark', bytes: record });
      return;
    }
    writeRawMark(writer, record, this.pid);
    thread.runtime.eventRecorded();
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
