import type { AsyncResource } from 'node:async_hooks';
import { TextEncoder } from 'node:util';
import { TraceError } from '../../base/errno.js';
import { NumberIsInteger as isInteger } from '../../base/primordials.js';
import { MAX_PRINTK_FORMATS } from '../../events/printk-formats.js';
import { MAX_RAW_MARK_BYTES, RAW_ID_BYTES, writeMark, writeRawMark, writeTextMark } from '../../ftrace/marker.js';
import { cpuOfTask } from '../../ftrace/task-pid.js';
import { chosenPids } from '../async/chosen-pids.js';
import { textOf } from '../events/slot-values.js';
import { SafeMap } from '../realm/primordials.js';
import { printkText } from './printk-text.js';
import type { ProgramThread } from './program-thread.js';

/**
 * Creates an async context that is a task of the trace with a pid of the program's choice.
 * @throws TraceError EINVAL for a pid that is none of the main thread's, and for a name that is empty or no text
 */
export function createTask(cpu: number, comm: string, pid: number): AsyncResource {
  if (typeof comm !== 'string' || comm === '') throw new TraceError('EINVAL', 'a task needs a name');
  if (!isInteger(pid) || pid <= 0 || cpuOfTask(pid) !== 0) throw new TraceError('EINVAL', `not a pid: ${textOf(pid)}`);
  if (cpu !== 0) throw new TraceError('EINVAL', 'only the main thread has tasks with pids of the program’s choice');
  return chosenPids.create(comm, pid);
}

/**
 * Writes a `print` record, or has the control thread write it while this thread has no buffer.
 * @param ip the address of what prints it
 */
export function putMark(thread: ProgramThread, pid: number, text: string, ip?: number): void {
  const { writer } = thread;
  // A program may give anything: it is made a text as TextEncoder makes it.
  const isText = typeof text === 'string';
  const bytes = writer !== undefined && isText ? undefined : new TextEncoder().encode(text);
  if (writer === undefined) {
    thread.tell({ type: 'mark', text: bytes!, ...(ip !== undefined && { ip }) });
    return;
  }
  const isRecorded = bytes === undefined ? writeTextMark(writer, text, pid, ip) : writeMark(writer, bytes, pid, ip);
  if (isRecorded && ip === undefined) thread.runtime.events.marked(text);
  thread.runtime.eventRecorded();
}

/** The formats that the control thread knows of. */
const told = new SafeMap<string, true>();
/** Longer ones are texts of the program. */
const MAX_FORMAT = 256;

/**
 * A `print` record in the name of the calling function (__trace_printk). Its format is in printk_formats, as one of the kernel's
 * modules.
 * @param called what the program's function has called by one other
 */
export function putPrintk(
  thread: ProgramThread,
  pid: number,
  format: string,
  values: readonly unknown[],
  called: (...args: never[]) => unknown,
): void {
  const text = textOf(format);
  if (!told.has(text) && told.size < MAX_PRINTK_FORMATS && text.length <= MAX_FORMAT) {
    told.set(text, true);
    thread.tell({ type: 'printk format', format: text });
  }
  putMark(thread, pid, printkText(text, values), thread.runtime.callerAddress(called));
}

/**
 * Writes a `raw_data` record in the same way.
 * @param thread undefined if nothing is recorded
 * @throws TraceError EINVAL when there are more bytes than a record takes
 */
export function putRawMark(thread: ProgramThread | undefined, pid: number, id: number, bytes: Uint8Array): void {
  if (RAW_ID_BYTES + bytes.length > MAX_RAW_MARK_BYTES) {
    throw new TraceError('EINVAL', `more than ${MAX_RAW_MARK_BYTES - RAW_ID_BYTES} bytes`);
  }
  if (thread === undefined) return;
  const record = new Uint8Array(RAW_ID_BYTES + bytes.length);
  new DataView(record.buffer).setUint32(0, id, true);
  record.set(bytes, RAW_ID_BYTES);
  const { writer } = thread;
  if (writer === undefined) {
    thread.tell({ type: 'raw mark', bytes: record });
    return;
  }
  writeRawMark(writer, record, pid);
  thread.runtime.eventRecorded();
}
