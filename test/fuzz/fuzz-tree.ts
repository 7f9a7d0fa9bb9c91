import { TraceError } from '../../src/base/errno.js';
import type { TraceClient } from '../../src/client/trace-client.js';
import { hostileText } from './mutate.js';
import type { Random } from './random.js';

/** A file must answer, if only with an error, within this many milliseconds; trace_pipe and its like are left before. */
const PATIENCE = 20_000;
/** Files that are read without an end are left after this many milliseconds. */
const READING = 200;
/** Requests that are under way at once. */
const AT_ONCE = 6;
const INSTANCES = ['a', 'b', 'c', '..', 'a/b', '%2e', 'x'.repeat(300), ' ', ''];
const PATHS = [
  'nosuch',
  '../etc',
  'per_cpu/cpu99/trace',
  'options/__proto__',
  'constructor',
  '\0',
  'instances/a/trace',
  'events/ftrace',
];

/** How a run went. */
export interface FuzzTally {
  /** Requests by their outcome: `ok` or an errno. */
  readonly outcomes: Map<string, number>;
  /** Requests that were not answered in time. */
  readonly unanswered: string[];
  /** Mistakes of fentry's own that an answer told of. */
  readonly mistakes: string[];
}

/** Sends nonsense to every file of a tree. */
export class TreeFuzzer {
  readonly tally: FuzzTally = { outcomes: new Map(), unanswered: [], mistakes: [] };
  readonly #client: TraceClient;
  readonly #random: Random;
  #files: readonly string[] = [];

  constructor(client: TraceClient, random: Random) {
    this.#client = client;
    this.#random = random;
  }

  /** Does `count` things, several at once, and looks again at which files there are. */
  async round(count: number): Promise<void> {
    this.#files = await this.#walk('');
    let left = count;
    const worker = async (): Promise<void> => {
      while (left-- > 0) await this.#once();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async #walk(folder: string): Promise<readonly string[]> {
    const files: string[] = [];
    for (const { name, kind } of await this.#client.list(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'file') files.push(path);
      // A folder may go while others are looked at: another request removed the instance.
      else files.push(...(await this.#walk(path).catch(() => [])));
    }
    return files;
  }

  async #once(): Promise<void> {
    const random = this.#random;
    const path = random.once(12) ? random.pick(PATHS) : random.pick(this.#files);
    const actions = [
      () => this.#tell(`PUT ${path}`, (signal) => this.#client.write(path, hostileText(random, path), signal)),
      () => this.#tell(`POST ${path}`, (signal) => this.#client.append(path, hostileText(random, path), signal)),
      () => this.#tell(`GET ${path}`, () => this.#read(path)),
      () => this.#makeOrRemove(),
    ];
    await actions[random.pick([0, 0, 0, 0, 1, 1, 1, 2, 2, 3])]!();
  }

  #makeOrRemove(): Promise<void> {
    const path = `instances/${this.#random.pick(INSTANCES)}`;
    const method = this.#random.once(2) ? 'mkdir' : 'rmdir';
    return this.#tell(`${method} ${path}`, () => this.#client[method](path));
  }

  async #read(path: string): Promise<void> {
    const left = AbortSignal.timeout(READING);
    try {
      for await (const _chunk of await this.#client.open(path, left)) if (this.#random.once(20)) break;
    } catch (error) {
      if (!left.aborted) throw error;
    }
  }

  async #tell(what: string, request: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE);
    let outcome = 'ok';
    try {
      await request(signal);
    } catch (error) {
      if (signal.aborted) this.tally.unanswered.push(what);
      if (error instanceof TraceError && error.errno === 'EIO') this.tally.mistakes.push(`${what}: ${error.message}`);
      outcome = error instanceof TraceError ? error.errno : error instanceof Error ? error.name : 'unknown';
    }
    this.tally.outcomes.set(outcome, (this.tally.outcomes.get(outcome) ?? 0) + 1);
  }
}
