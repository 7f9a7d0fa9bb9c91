import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TraceClient } from '../../src/client/trace-client.js';
import { type Sandbox, until } from '../e2e/support/program.js';
import { type Accounts, accountsOf, added } from './accounts.js';
import type { PipeReader } from './pipe-reader.js';

export const INSTANCES = ['instances/one/', 'instances/two/', 'instances/three/'];
export const FOLDERS = ['', ...INSTANCES];
/** What the filters of the instances are rewritten to, over and over. */
const FILTERS = ['work', 'parse read', '*r*', 'fail', 'work render\nescape', '!*', 'no*such', ''];

/** A change of one folder; each is made in all of them, round after round. */
type Change = (soaked: Soaked, folder: string, round: number) => Promise<void>;
const CHANGES: readonly Change[] = [
  ({ client }, folder) => client.write(`${folder}snapshot`, '1').catch(expectRefusal),
  ({ client }, folder, round) => client.write(`${folder}buffer_size_kb`, `${32 << (round % 4)}`).catch(expectRefusal),
  (soaked, folder, round) => (folder === '' ? soaked.switchOff() : soaked.client.write(`${folder}tracing_on`, `${round % 2}`)),
];
/** So many changes switch the instances off and on again. */
export const TWO_ROUNDS = 2 * FOLDERS.length * CHANGES.length;

/** A word that matches nothing; or a thread that the machine did not let run for a second. */
function expectRefusal(error: { readonly errno: string }): void {
  if (error.errno !== 'EINVAL' && error.errno !== 'ETIMEDOUT') throw error;
}

/** Calls of `work` so far, while tracing was on and off. */
interface Calls {
  readonly on: number;
  readonly off: number;
}

/** A process under load (program.ts), and what is done to it meanwhile. */
export class Soaked {
  readonly program: Awaited<ReturnType<Sandbox['start']>>;
  readonly client: TraceClient;

  constructor(program: Awaited<ReturnType<Sandbox['start']>>, client: TraceClient) {
    this.program = program;
    this.client = client;
  }

  /** Has the program go on in another phase; resolves when it does. */
  async phase(word: 'on' | 'off' | 'pause' | 'end'): Promise<Calls> {
    const said = once(this.program.stdout!, 'data');
    this.program.stdin!.write(`${word}\n`);
    return JSON.parse(String(await said)) as Calls;
  }

  /** Makes one change in the midst of calls, and rewrites one filter. */
  async change(times: number): Promise<void> {
    const filter = FILTERS[(times * 5 + 3) % FILTERS.length]!;
    await this.client.write(`${INSTANCES[times % INSTANCES.length]}set_ftrace_filter`, `${filter}\n`).catch(expectRefusal);
    const number = Math.floor(times / FOLDERS.length);
    const round = Math.floor(number / CHANGES.length);
    await CHANGES[number % CHANGES.length]!(this, FOLDERS[times % FOLDERS.length]!, round);
  }

  /** Switches tracing off for a while; between calls, so that the program knows which of them are not recorded. */
  async switchOff(): Promise<void> {
    for (const phase of ['off', 'on'] as const) {
      await this.phase('pause');
      await this.client.write('tracing_on', phase === 'on' ? '1' : '0');
      await this.phase(phase);
      await sleep(20);
    }
  }

  /** Has every thread do what it was told, and the instances trace nothing that is called any more. */
  settle(): Promise<void> {
    const tell = async (folder: string) => {
      const error = await this.client.write(`${folder}set_ftrace_filter`, 'fail').catch((refusal) => refusal);
      if (error !== undefined) expectRefusal(error);
      return error === undefined;
    };
    return until(async () => (await Promise.all(INSTANCES.map(tell))).every(Boolean), 'every thread obeyed');
  }

  /**
   * Has the pipe read the folder's buffers empty, and those that snapshots exchanged them for, and end.
   * @returns the sum of both: a snapshot overwrites nothing, its events are in the buffers again after the next
   */
  async finish(folder: string, pipe: PipeReader): Promise<Accounts> {
    const { client } = this;
    const isRead = async () => (await accountsOf(client, folder)).entries === 0;
    await client.write(`${folder}tracing_on`, '1');
    await client.write(`${folder}trace_marker`, 'a pipe that has read nothing would not end');
    await until(isRead, 'the pipe took everything');
    const first = await accountsOf(client, folder);
    // One that was refused may have been taken all the same.
    await until(async () => {
      await client.write(`${folder}snapshot`, '1').catch(expectRefusal);
      await this.settle();
      return !isDeepStrictEqual(await accountsOf(client, folder), first);
    }, 'a snapshot was taken');
    await until(isRead, 'the pipe took everything of the snapshot');
    const ended = pipe.end();
    await client.write(`${folder}tracing_on`, '0');
    await ended;
    return added(first, await accountsOf(client, folder));
  }
}
