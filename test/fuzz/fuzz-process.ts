import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TraceClient } from '../../src/client/trace-client.js';
import { FENTRY, testFile } from '../support/program.js';

/** What else costs the program time while it is on. */
const SWITCHES = ['stack_tracer_enabled', 'function_profile_enabled', 'options/async-context', 'options/function-fork'];

/** Files that hold memory, as they are at the start. */
const SIZES = [
  ['snapshot', '0\n'],
  ['buffer_size_kb', '1408\n'],
] as const;

/** A command among the lines of a filter, and how often it is still carried out. */
const COMMAND_LINE = /^([^#\s][^:\n]*:(?:trace|snap|stack|dump|cpu|enable|disable)[^=\n]*?):(unlimited|count=-?\d+)$/gm;

/** What the target can do: the least milliseconds of a fixed piece of work, and its resident bytes. */
export interface Measure {
  readonly milliseconds: number;
  readonly rss: number;
}

/** The traced program of a fuzzing run, and the way to its files. */
export class FuzzedProcess {
  readonly client: TraceClient;
  readonly #child: ChildProcess;
  readonly #folder: string;
  #stderr = '';

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.client = new TraceClient(child.pid!, join(folder, `${child.pid}.sock`));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-10_000);
    });
  }

  /** Starts it with fentry and waits for its socket. */
  static async start(): Promise<FuzzedProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'fentry-fuzz-'));
    const child = fork(testFile('fuzz/target.mjs'), {
      execArgv: ['--import', FENTRY],
      env: { ...process.env, NODE_OPTIONS: '', FENTRY: '', FENTRY_DIR: folder, FENTRY_CACHE: join(folder, 'cache') },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    while (!existsSync(join(folder, `${child.pid}.sock`)) && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return new FuzzedProcess(child, folder);
  }

  /** Why the process has ended; undefined while it lives. */
  get end(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    return exitCode === null && signalCode === null ? undefined : `ended with ${exitCode ?? signalCode}: ${this.#stderr}`;
  }

  async measure(): Promise<Measure> {
    this.#child.send('measure');
    const [measure] = (await once(this.#child, 'message')) as [Measure];
    return measure;
  }

  /** Brings the tree back to what it was at the start, as far as it goes: what is refused tells of a defect. */
  async reset(): Promise<void> {
    const { client } = this;
    await client.write('current_tracer', 'nop\n');
    for (const path of SWITCHES) await client.write(path, '0\n');
    for (const { name, kind } of await client.list('')) {
      if (kind === 'file' && /^set_.*(filter|notrace|function|pid)$/.test(name)) await this.#resetFilter(name);
    }
    const { instances } = await this.#instances();
    for (const name of instances) await client.rmdir(`instances/${name}`);
    for (const [path, value] of SIZES) await client.write(path, value);
    await client.write('trace', '');
    await client.write('tracing_on', '1\n');
  }

  async stop(): Promise<void> {
    if (this.end === undefined) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'close');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Filters are emptied by `>`; the commands among them are removed one by one. */
  async #resetFilter(name: string): Promise<void> {
    await this.client.write(name, '\n');
    const lines = (await this.client.read(name)).matchAll(COMMAND_LINE);
    // Functions of one name have a line each, and one removal takes all of them.
    const removals = new Set([...lines].map(([, command, left]) => `!${command}${left === 'unlimited' ? '' : ':0'}\n`));
    for (const removal of removals) await this.client.append(name, removal);
  }

  async #instances(): Promise<{ instances: readonly string[] }> {
    const entries = await this.client.list('instances').catch(() => []);
    return { instances: entries.map(({ name }) => name) };
  }
}
