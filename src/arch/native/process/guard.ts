import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { attempt } from '../../../base/attempt.js';
import type { OwnProcess } from '../addon/own-process.js';
import { type Debts, tellDebts } from './debts.js';

/** Waits for the end of this process, which closes the descriptor; then runs the rest. */
const WAIT = 'read end <&3; exec "$@"';

/**
 * Starts a process that settles this one's debts if it is killed: it lets go on what stands still, and puts text back. A shell waits, which is small;
 * it runs the program `node native-guard.cjs` afterwards. Debts are lines in a file without a name, of which the first counts.
 * Where there is no shell nobody does so.
 */
export function startGuard(own: OwnProcess, program: string): void {
  const file = own.memoryFile(new Uint8Array());
  // At once: what is written when this process is killed in the midst of it is whole, or not there.
  tellDebts((debts) => void writeSync(file, `${JSON.stringify(debts)}\n`, 0));
  const guard = spawn('/bin/sh', ['-c', WAIT, 'fentry-guard', process.execPath, program], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: [file, 'ignore', 'ignore', 'pipe'],
  });
  guard.on('error', () => {});
  guard.unref();
  (guard.stdio[3] as { unref?(): void } | null)?.unref?.();
}

/** The debts in such a file. */
export const parseDebts = (text: string): Debts => attempt(() => JSON.parse(text.split('\n', 1)[0]!) as Debts) ?? { patches: [] };
