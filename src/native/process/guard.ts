import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../base/attempt.js';
import { hasEnded, ownIdentity, parseIdentity } from '../../recording/process-identity.js';
import type { LocalProcess } from '../addon/local-process.js';
import { type Debts, tellDebts } from './debts.js';

/** Waits for the end of this process, which closes the descriptor; then runs the rest. */
const WAIT = 'read end <&3; exec "$@"';
/** How long guards have to settle debts, and the interval between looks whether they have: milliseconds. */
const PATIENCE = 15_000;
const LOOK = 5;

/**
 * Starts a process that settles this one's debts if it is killed: it lets go on what stands still, and puts text back. A shell
 * waits, which is small; it runs the program `node native-guard.cjs` afterwards. Debts are lines in a file without a name, of
 * which the first counts. Where there is no shell nobody does so.
 * @param pid the process that this one traces
 */
export function startGuard(local: LocalProcess, program: string, pid: number): void {
  const file = local.memoryFile(new Uint8Array());
  // At once: what is written when this process is killed in the midst of it is whole, or not there.
  tellDebts((debts) => void writeSync(file, `${JSON.stringify(debts)}\n`, 0));
  const guard = spawn('/bin/sh', ['-c', WAIT, 'fentry-guard', process.execPath, program, String(pid), ownIdentity()], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: [file, 'ignore', 'ignore', 'pipe'],
  });
  guard.on('error', () => {});
  guard.unref();
  (guard.stdio[3] as { unref?(): void } | null)?.unref?.();
}

/**
 * Resolves when the guards of hosts of a process that have ended have settled their debts: they stop it, let it go on and write
 * into it. One that does not end is waited for a while only.
 */
export async function debtsSettled(program: string, pid: number): Promise<void> {
  for (const end = performance.now() + PATIENCE; hasGuardAtWork(program, pid) && performance.now() < end; ) await sleep(LOOK);
}

function hasGuardAtWork(program: string, pid: number): boolean {
  return (attempt(() => readdirSync('/proc')) ?? []).some((name) => {
    const command = /^\d/.test(name) ? attempt(() => readFileSync(`/proc/${name}/cmdline`, 'latin1')) : undefined;
    const [path = '', traced, host = ''] = command?.split('\0').slice(-4, -1) ?? [];
    const identity = path === program && traced === String(pid) ? parseIdentity(host) : undefined;
    return identity !== undefined && hasEnded(identity);
  });
}

/** The debts in such a file. */
export const parseDebts = (text: string): Debts => attempt(() => JSON.parse(text.split('\n', 1)[0]!) as Debts) ?? { patches: [] };
