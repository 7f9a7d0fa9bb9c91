import type { AddressRange } from './address-range.js';
import { processMachine } from './process-machine.js';
import type { SystemCallState } from './tasks.js';

/**
 * The memory that a thread has given to the system call in which it waits, to be written to: no open call's frame is in it. libuv
 * has 12 KB of it on the stack of each idle event loop, with words of calls that ended long ago.
 */
export function outputBuffer(call: SystemCallState | undefined): AddressRange | undefined {
  const output = call && processMachine.outputs[call.nr];
  if (output === undefined) return undefined;
  const start = call!.args[output.buffer]!;
  return { start, end: start + call!.args[output.room]! * output.bytes };
}
