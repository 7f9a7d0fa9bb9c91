import type { NativeMachine } from '../elf/elf-file.js';
import type { AddressRange } from './address-range.js';
import { processMachine } from './process-machine.js';
import type { SystemCallState } from './tasks.js';

/**
 * Which argument of a system call is where the kernel writes, which says how much there is room for, and in pieces of how many
 * bytes.
 */
interface OutputArguments {
  readonly buffer: number;
  readonly room: number;
  readonly bytes: number;
}

const BYTES: OutputArguments = { buffer: 1, room: 2, bytes: 1 };
/** An event has 12 bytes on x86-64, and 16 elsewhere. */
const EVENTS: OutputArguments = { buffer: 1, room: 2, bytes: processMachine.name === 'x86-64' ? 12 : 16 };

/** By their numbers: read, recvfrom, epoll_wait where there is one, epoll_pwait, epoll_pwait2. */
const OUTPUTS: Readonly<Record<NativeMachine, Readonly<Record<number, OutputArguments>>>> = {
  'x86-64': { 0: BYTES, 45: BYTES, 232: EVENTS, 281: EVENTS, 441: EVENTS },
  arm64: { 63: BYTES, 207: BYTES, 22: EVENTS, 441: EVENTS },
};
const OUTPUT = OUTPUTS[processMachine.name];

/**
 * The memory that a thread has given to the system call in which it waits, to be written to: no open call's frame is in it. libuv
 * has 12 KB of it on the stack of each idle event loop, with words of calls that ended long ago.
 */
export function outputBuffer(call: SystemCallState | undefined): AddressRange | undefined {
  const output = call && OUTPUT[call.nr];
  if (output === undefined) return undefined;
  const start = call!.args[output.buffer]!;
  return { start, end: start + call!.args[output.room]! * output.bytes };
}
