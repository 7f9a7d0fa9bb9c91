import { TEXT_HIGH } from '../../arch/arch.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { ENTRY_BYTES, EXIT_BYTES, FUNCTION_BYTES, HIGH_HALF } from '../record-layout.js';
import type { RecordWriter } from '../record-writer.js';

const { function: callEvent, funcgraph_entry: entryEvent, funcgraph_exit: exitEvent } = FTRACE_EVENTS;
const FLAGS_SHIFT = 16;

/**
 * Writes a function record with flags, as latency tracers do: who reads their traces wants to know in what context it ran.
 * @param ip, parent low 32 bits of the addresses; parent 0: none is known
 * @returns false when there was no room, or an event was torn
 */
export function writeFunction(
  writer: RecordWriter,
  pid: number,
  flags: number,
  ip: number,
  parent: number,
  now: number,
): boolean {
  const at = writer.reserve(FUNCTION_BYTES, now);
  if (at < 0) return false;
  const { u32 } = writer;
  u32[at] = callEvent.id | (flags << FLAGS_SHIFT);
  u32[at + 1] = pid;
  u32[at + 2] = ip;
  u32[at + 3] = TEXT_HIGH;
  u32[at + 4] = parent;
  u32[at + 5] = parent === 0 ? 0 : TEXT_HIGH;
  writer.commit();
  return true;
}

/** The same as a call that takes no time, where calls are recorded as a graph (trace_graph_function). */
export function writeGraphCall(writer: RecordWriter, pid: number, flags: number, ip: number, now: number): boolean {
  const start = writer.reserve(ENTRY_BYTES, now);
  if (start < 0) return false;
  writer.u32.set([entryEvent.id | (flags << FLAGS_SHIFT), pid, ip, TEXT_HIGH, 0], start);
  writer.commit();
  const end = writer.reserve(EXIT_BYTES, now);
  if (end < 0) return false;
  const time = [now >>> 0, Math.floor(now * HIGH_HALF)];
  writer.u32.set([exitEvent.id | (flags << FLAGS_SHIFT), pid, ip, TEXT_HIGH, 0, 0, ...time, ...time], end);
  writer.commit();
  return true;
}
