import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { ChangedSettings } from '../changed-settings.js';
import { isEmptyFilter } from '../is-empty-filter.js';
import { noSuchFunction } from '../no-such-function.js';
import { withBreakpointWarnings } from '../set-up.js';
import { writeFile } from '../write-file.js';

/** What the lines of the graph show besides times. */
const OPTIONS = ['funcgraph-args', 'funcgraph-retval', 'places'] as const;
const OWN_FUNCTIONS = '*:mod:!*';

/**
 * The graph of a function's calls while a command reads it. The process gets its settings back, also if the command is killed.
 */
export class GraphUse {
  readonly #client: TraceClient;
  readonly #settings: ChangedSettings;

  private constructor(client: TraceClient, settings: ChangedSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  /**
   * Switches the tracer on.
   * @param func a word of set_graph_function
   * @param all follows what is not the application's too
   * @throws TraceError EBUSY while something else is traced, ENOENT if the word matches no function
   */
  static async take(client: TraceClient, func: string, all: boolean): Promise<GraphUse> {
    await refuseIfBusy(client);
    const settings = await ChangedSettings.begin(client);
    const use = new GraphUse(client, settings);
    try {
      for (const option of OPTIONS) await use.#switch(`options/${option}`);
      await use.#switch('tracing_on');
      await settings.set('set_graph_function', func, '').catch((error) => noSuchFunction(client, func, error));
      if (!all) {
        await settings.set('set_ftrace_filter', OWN_FUNCTIONS, '');
        await writeFile(client, 'set_ftrace_filter', func, true);
      }
      await withBreakpointWarnings(client, () => settings.set('current_tracer', 'function_graph', 'nop'));
      return use;
    } catch (error) {
      await use.release();
      throw error;
    }
  }

  /** The lines of the graph, as they come, until `signal` aborts. */
  async *lines(signal: AbortSignal): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of this.#settings.follow('trace_pipe', signal)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  }

  /** Gives everything its value of before. A process that has ended needs nothing. */
  release(): Promise<void> {
    return this.#settings.restore();
  }

  async #switch(path: string): Promise<void> {
    if ((await this.#client.read(path)).trim() === '0') await this.#settings.set(path, '1', '0');
  }
}

/** One tracer runs at a time, with its filters, and somebody may still want to read what it has recorded. */
async function refuseIfBusy(client: TraceClient): Promise<void> {
  const tracer = (await client.read('current_tracer')).trim();
  if (tracer !== 'nop') throw new TraceError('EBUSY', `the tracer ${tracer} is on; fentry reset ends it`);
  for (const path of ['set_ftrace_filter', 'set_graph_function']) {
    if (!isEmptyFilter(await client.read(path)))
      throw new TraceError('EBUSY', `somebody has set ${path}; fentry reset empties it`);
  }
}
