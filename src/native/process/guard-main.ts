/**
 * Settles the debts of a host that has ended: `node native-guard.cjs PID HOST`, with them on stdin (guard.ts). The words are for
 * debtsSettled().
 */
import { readFileSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { parseDebts } from './guard.js';
import { ProcessMemory } from './process-memory.js';
import { whileStopped } from './stop.js';

const { stopped, patches } = parseDebts(attempt(() => readFileSync('/proc/self/fd/0', 'utf8')) ?? '');
for (const pid of new Set(patches.map((patch) => patch.pid))) {
  const memory = attempt(() => new ProcessMemory(pid));
  const own = patches.filter((patch) => patch.pid === pid);
  attempt(() =>
    whileStopped(pid, () => {
      for (const { address, bytes } of own) memory?.write(address, Buffer.from(bytes, 'hex'));
    }),
  );
}
if (stopped !== undefined) attempt(() => process.kill(stopped, 'SIGCONT'));
