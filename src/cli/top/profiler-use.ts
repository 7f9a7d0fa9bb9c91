import { TraceError } from '../../base/errno.js';
import { whyStopped } from '../../client/stopped-process.js';
import type { TraceClient } from '../../client/trace-client.js';
import { ChangedSettings } from '../changed-settings.js';
import { isEmptyFilter } from '../is-empty-filter.js';
import { noSuchFunction } from '../no-such-function.js';
import { withBreakpointWarnings } from '../set-up.js';
import type { Order } from './profile-rows.js';

const ENABLED = 'function_profile_enabled';
const FILTER = 'set_ftrace_filter';
const GRAPH_TIME = 'options/graph-time';

/** The value of options/graph-time: whether a function's time has that of the functions inside. */
const graphTime = (order: Order): string => (order === 'self' ? '0' : '1');

/**
 * The function profiler of a process while a command reads it. The process gets its settings back, also if the command is killed.
 */
export class ProfilerUse {
  /** What the user must know: that somebody else has set something. */
  readonly notes: readonly string[];
  /** Somebody else has switched it on: nothing is changed. */
  readonly isShared: boolean;
  readonly #client: TraceClient;
  readonly #settings: ChangedSettings;
  #changing: Promise<void> = Promise.resolve();

  private constructor(client: TraceClient, settings: ChangedSettings, notes: readonly string[], isShared: boolean) {
    this.#client = client;
    this.#settings = settings;
    this.notes = notes;
    this.isShared = isShared;
  }

  /**
   * Switches it on, for the functions that a word of set_ftrace_filter chooses.
   * @param pattern undefined: for all functions, or those of the present filter
   * @throws TraceError EBUSY while function_graph is the tracer, EINVAL if the word matches no function
   */
  static async take(client: TraceClient, pattern: string | undefined, order: Order): Promise<ProfilerUse> {
    const settings = await ChangedSettings.begin(client);
    const use = (notes: readonly string[], isShared: boolean) => new ProfilerUse(client, settings, notes, isShared);
    try {
      const notes = await notesOn(client);
      if ((await client.read(ENABLED)).trim() === '1')
        return use(['somebody else has switched the profiler on: it counts and measures what they have chosen', ...notes], true);
      const isGraphTime = (await client.read(GRAPH_TIME)).trim();
      if (isGraphTime !== graphTime(order)) await settings.set(GRAPH_TIME, graphTime(order), isGraphTime);
      const isFree = await isFilterFree(client);
      if (pattern !== undefined && isFree)
        await settings.set(FILTER, pattern, '').catch((error) => noSuchFunction(client, pattern, error));
      await withBreakpointWarnings(client, () => settings.set(ENABLED, '1', '0').catch(busy));
      return use(isFree ? notes : [`the functions of ${FILTER} are profiled, which somebody else has set`, ...notes], false);
    } catch (error) {
      await use([], false).release();
      throw error;
    }
  }

  /** Resolves when the process has ended. */
  get processEnded(): Promise<void> {
    return this.#settings.processEnded;
  }

  /** Has times with those of the functions inside, or without; for calls that end from now on. */
  setOrder(order: Order): Promise<void> {
    const done = this.#changing.then(() => this.#applyOrder(order));
    this.#changing = done.catch(() => {});
    return done;
  }

  async #applyOrder(order: Order): Promise<void> {
    if (this.isShared || (await this.#client.read(GRAPH_TIME)).trim() === graphTime(order)) return;
    await this.#settings.set(GRAPH_TIME, graphTime(order), graphTime(order) === '0' ? '1' : '0');
  }

  /** Whether it still counts. */
  async isOn(): Promise<boolean> {
    return (await this.#client.read(ENABLED)).trim() === '1';
  }

  /**
   * Gives everything its value of before. A process that has ended needs nothing, and one that is stopped is not waited for: it
   * does that itself when it runs again. Returns why it is stopped, if so.
   */
  async release(): Promise<string | undefined> {
    const stopped = whyStopped(this.#client.pid);
    if (stopped !== undefined) {
      this.#client.abandon();
      this.#settings.close();
      return stopped;
    }
    // A change that is under way would come after its undoing.
    await this.#changing;
    await this.#settings.restore();
    return undefined;
  }
}

async function notesOn(client: TraceClient): Promise<readonly string[]> {
  const threshold = (await client.read('tracing_thresh')).trim();
  return threshold === '0' ? [] : [`functions that take less than ${threshold} us on average are left out: tracing_thresh`];
}

/** Whether nobody uses the filter: it is empty, and no tracer would follow a change of it. */
async function isFilterFree(client: TraceClient): Promise<boolean> {
  const [filter, tracer] = await Promise.all([client.read(FILTER), client.read('current_tracer')]);
  return isEmptyFilter(filter) && tracer.trim() === 'nop';
}

function busy(error: unknown): never {
  if (error instanceof TraceError && error.errno === 'EBUSY')
    throw new TraceError(
      'EBUSY',
      'function_graph is the current tracer, and the profiler cannot run beside it; fentry reset ends it',
    );
  throw error;
}
