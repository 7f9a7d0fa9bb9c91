import { spawn } from 'node:child_process';
import type { NativeStacks } from '../../answers/bt/bt-answer.js';
import { type Errno, TraceError } from '../../base/errno.js';
import type { StackLook } from '../../port/inspect.js';

/** What the process that reads stacks says when it can begin. */
export const READY = 'ready\n';
/** How long it has to answer, in milliseconds: it reads the symbols of all objects. */
const PATIENCE = 60_000;

/** What it is asked, as JSON on its stdin. */
export interface StacksRequest {
  /** Threads that are not looked at. */
  readonly except: readonly number[];
}

/** The answer, as JSON on its stdout. */
export type StacksReply = { readonly stacks: NativeStacks } | { readonly errno: string; readonly message: string };

/**
 * Starts a process that reads the stacks of another: it stops threads, and when it ends, however that comes, the system lets them
 * go on.
 * @param program native-stacks.cjs
 */
export function askStacks(program: string, pid: number): StackLook {
  const child = spawn(process.execPath, ['--min-semi-space-size=16', program, String(pid)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...(process.env['TMPDIR'] && { TMPDIR: process.env['TMPDIR'] }) },
    cwd: '/',
  });
  let output = '';
  let errors = '';
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      errors = error.message;
      resolve();
    });
    child.once('close', () => resolve());
  }).finally(() => clearTimeout(late));
  const ready = new Promise<void>((resolve) => {
    void ended.then(resolve);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.startsWith(READY)) resolve();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  child.stdin.on('error', () => {});
  return {
    ready,
    async read(except) {
      child.stdin.end(JSON.stringify({ except } satisfies StacksRequest));
      await ended;
      const text = output.startsWith(READY) ? output.slice(READY.length) : output;
      if (text === '')
        throw new TraceError('EIO', `the process that reads stacks has failed: ${errors.trim() || 'it was killed'}`);
      const reply = JSON.parse(text) as StacksReply;
      if ('errno' in reply) throw new TraceError(reply.errno as Errno, reply.message);
      return reply.stacks;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
