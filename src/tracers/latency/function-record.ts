import { TEXT_HIGH } from '../../arch/arch.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import type { RecordWriter } from '../record-writer.js';
import { FUNCTION_BYTES } from '../record-layout.js';

const { id } = FTRACE_EVENTS.function;
const FLAGS_SHIFT = 16;

/**
 * Writes a function record with flags, as latency tracers do: who reads their traces wants to know in what context it ran.
 * @param ip, parent low 32 bits of the addresses; parent 0: none is known
 * @returns false when there was no room, or an event was torn
 */
export function writeFunction(writer: RecordWriter, pid: number, flags: number, ip: number, parent: number, now: number): boolean {
  const at = writer.reserve(FUNCTION_BYTES, now);
  if (at < 0) return false;
  const { u32 } = writer;
  u32[at] = id | (flags << FLAGS_SHIFT);
  u32[at + 1] = pid;
  u32[at + 2] = ip;
  u32[at + 3] = TEXT_HIGH;
  u32[at + 4] = parent;
  u32[at + 5] = parent === 0 ? 0 : TEXT_HIGH;
  writer.commit();
  return true;
}
