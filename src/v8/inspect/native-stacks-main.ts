/**
 * Reads the stacks of a process: `node native-stacks.cjs PID`. It says `ready` when it has read what it must know of the
 * process's objects, waits for a line with a StacksRequest, looks at each thread, prints a StacksReply and ends. When it ends
 * before, or is killed, the system lets go on what stands still.
 */
import { asTraceError } from '../../base/errno.js';
import { LocalProcess } from '../../native/addon/local-process.js';
import { READY, type StacksReply, type StacksRequest } from '../../native/unwind/ask-stacks.js';
import { NativeStackReader } from './native-stacks.js';

async function reply(): Promise<StacksReply> {
  try {
    const reader = new NativeStackReader(Number(process.argv[2]), new LocalProcess());
    process.stdout.write(READY);
    let line = '';
    for await (const chunk of process.stdin) line += String(chunk);
    if (line === '') process.exit();
    const { except } = JSON.parse(line) as StacksRequest;
    return { stacks: reader.read(except) };
  } catch (error) {
    const { errno, message } = asTraceError(error);
    return { errno, message };
  }
}

void reply().then((value) => process.stdout.write(JSON.stringify(value)));
