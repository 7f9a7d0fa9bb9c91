import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attempt } from '../../../src/base/attempt.js';
import { TraceError } from '../../../src/base/errno.js';
import { TraceClient } from '../../../src/client/trace-client.js';

const DIST = resolve('dist');
/** What `--import` names. */
export const PRELOAD = pathToFileURL(join(DIST, 'index.js')).href;
/** What `--require` names. */
export const REQUIRED = join(DIST, 'preload.cjs');
export const CLI = join(DIST, 'cli.js');
/** Nothing here takes this long, on however slow a machine. */
const PATIENCE = 90_000;

/** Has a program listen before it runs. One that stays in the first turn of its event loop listens only when it is asked to. */
export const LISTENING = { FENTRY: 'trace_clock=local' };

interface Cleanup {
  after(run: () => void | Promise<void>): void;
}

/** What a finished command left behind. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that was started. */
export type Started = ChildProcess & { readonly pid: number };

/** A place of its own for one test: a folder for files, one for sockets, and what it started, which ends with the test. */
export class Sandbox {
  readonly folder: string;
  readonly sockets: string;
  /** What programs have as FENTRY_CACHE. */
  readonly cache: string;
  readonly #started: ChildProcess[] = [];

  /** @param options `hasOwnCache`: the cache is empty at first. Else it is the one of all tests of a run: they start faster. */
  constructor(t: Cleanup, { hasOwnCache = false } = {}) {
    this.folder = mkdtempSync(join(tmpdir(), 'fentry-e2e-'));
    this.sockets = join(this.folder, 'sockets');
    this.cache = (!hasOwnCache && process.env['FENTRY_CACHE']) || join(this.folder, 'cache');
    mkdirSync(this.sockets, { mode: 0o700 });
    t.after(async () => {
      const running = this.#started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      await Promise.all(running.map((child) => ended(child, () => child.kill('SIGKILL'))));
      // A host that is ending may write or remove a file of its own meanwhile; rmSync() does not try again then.
      await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    });
  }

  /** Writes a file and returns its path. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  env(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    // Node's test runner sets FORCE_COLOR where its own output goes to a terminal.
    const { NODE_OPTIONS: _options, FENTRY: _parameters, FORCE_COLOR: _color, ...env } = process.env;
    return { ...env, FENTRY_DIR: this.sockets, FENTRY_CACHE: this.cache, ...extra };
  }

  spawn(args: readonly string[], extra: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(process.execPath, args, { cwd: this.folder, env: this.env(extra), stdio: ['pipe', 'pipe', 'pipe'] });
    this.#started.push(child);
    return child;
  }

  /** Runs node with arguments to its end. */
  run(args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<Finished> {
    return finished(this.spawn(args, extra));
  }

  /** Runs the fentry command to its end. */
  fentry(...args: readonly string[]): Promise<Finished> {
    return this.run([CLI, ...args]);
  }

  spawnFentry(...args: readonly string[]): ChildProcess {
    return this.spawn([CLI, ...args]);
  }

  /** The control files of a process that was started here. */
  client(pid: number): TraceClient {
    return new TraceClient(pid, join(this.sockets, `${pid}.sock`));
  }

  /**
   * The text of a control file of the one process that runs here; empty where `fentry cat` prints nothing, because the process
   * or the file is not there yet. What is looked at again and again is read so: the command would be a process each time.
   */
  async read(path: string): Promise<string> {
    const pids = readdirSync(this.sockets).flatMap((name) => /^(\d+)\.sock$/.exec(name)?.[1] ?? []);
    const running = pids.map(Number).filter((pid) => attempt(() => process.kill(pid, 0)) !== undefined);
    if (running.length > 1) throw new Error(`processes that can be reached: ${running.join(', ')}`);
    if (running.length === 0) return '';
    return await this.client(running[0]!)
      .read(path)
      .catch((error: unknown) => {
        if (error instanceof TraceError) return '';
        throw error;
      });
  }

  /** Starts a program with fentry and waits until it can be reached. */
  start(source: string, extra: NodeJS.ProcessEnv = {}, name = 'program.cjs'): Promise<Started> {
    return this.#reached(this.spawn(['--import', PRELOAD, this.file(name, source)], extra));
  }

  /** Starts a CommonJS program with `--require`, not `--import`. */
  startRequired(source: string): Promise<Started> {
    return this.#reached(this.spawn(['--require', REQUIRED, this.file('program.cjs', source)]));
  }

  async #reached(child: ChildProcess): Promise<Started> {
    await until(() => existsSync(join(this.sockets, `${child.pid}.sock`)), 'the socket is there');
    return child as Started;
  }
}

/** Collects the output of a process until it has ended. */
export async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.stdin?.end();
  await ended(child);
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}

function ended(child: ChildProcess, then?: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${child.spawnargs.join(' ')} does not end`)), PATIENCE);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    then?.();
  });
}

/** Waits until something holds. The longer it waits, the more rarely it looks: a look may cost as much as what it waits for. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - start;
    if (waited > PATIENCE) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(waited / 8, 20), 200)));
  }
}
