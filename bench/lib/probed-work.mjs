import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { REQUIRED } from './child.mjs';
import { TracefsClient } from './tracefs-client.mjs';

/** The program whose function `work` is probed at its return. */
export const FIXTURE = fileURLToPath(new URL('../fixtures/probed-work.cjs', import.meta.url));
/** The line of that return, counted from 1. */
export const LINE = 7;
/** All breakpoints of a thread may have so many hits in a tenth of a second, and more. */
const HITS = 200;
const WINDOW = 110;

/** Processes of that program, each with another way to look into its function. */
export class ProbedWork {
  folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
  #children = [];

  /**
   * Starts the program. Resolves with a function that has it call `work` and resolves with the nanoseconds a call.
   * @param {readonly string[]} args what it does by itself: `none`, or `breakpoint` for a plain conditional breakpoint
   * @param {import('node:child_process').ForkOptions} options
   */
  async start(args, options = {}) {
    const child = fork(FIXTURE, args, options);
    this.#children.push(child);
    await once(child, 'message');
    return async (calls = HITS, wait = WINDOW) => {
      await pause(wait);
      child.send(calls);
      return (await once(child, 'message'))[0];
    };
  }

  /**
   * The program with a probe of fentry on the line of its return, which fetches `total` and `order.price`.
   * @param {string} parameters of `FENTRY`
   * @param {boolean} isSite what kprobes/list must say of it
   */
  async probed(parameters, isSite) {
    const env = { ...process.env, FENTRY: parameters, FENTRY_DIR: this.folder, FENTRY_CACHE: join(this.folder, 'cache') };
    const run = await this.start(['none'], { execArgv: ['--require', REQUIRED], env });
    const socket = join(this.folder, `${this.#children.at(-1).pid}.sock`);
    const client = new TracefsClient(socket);
    await client.write('kprobe_events', 'p:hit work:2 total price=order.price');
    await client.write('events/kprobes/hit/enable', '1');
    const listed = await client.read('kprobes/list');
    if (listed.includes('[OPTIMIZED]') !== isSite) throw new Error(`another way than expected: ${listed}`);
    const counts = async () => {
      const [, hits, missed] = (await client.read('kprobe_profile')).trim().split(/\s+/);
      return `${hits} hits, ${missed} missed`;
    };
    return { run, counts, lastRecord: async () => (await client.read('trace')).trimEnd().split('\n').at(-1) };
  }

  /** Ends all of them. */
  end() {
    for (const child of this.#children) child.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
