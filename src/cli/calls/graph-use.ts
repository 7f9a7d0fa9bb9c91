import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { UndoAtEnd } from '../../client/undo-at-end.js';
import { didYouMean } from '../nearest.js';
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
  readonly #undo: UndoAtEnd;
  /** What was there before, the last first. */
  readonly #before: (readonly [path: string, text: string])[] = [];

  private constructor(client: TraceClient, undo: UndoAtEnd) {
    this.#client = client;
    this.#undo = undo;
  }

  /**
   * Switches the tracer on.
   * @param func a word of set_graph_function
   * @param all follows what is not the application's too
   * @throws TraceError EBUSY while something else is traced, ENOENT if the word matches no function
   */
  static async take(client: TraceClient, func: string, all: boolean): Promise<GraphUse> {
    await refuseIfBusy(client);
    const use = new GraphUse(client, await UndoAtEnd.connect(client.socketPath));
    try {
      for (const option of OPTIONS) await use.#switch(`options/${option}`);
      await use.#switch('tracing_on');
      await use.#set('set_graph_function', func, '').catch((error) => noSuch(client, func, error));
      if (!all) {
        await use.#set('set_ftrace_filter', OWN_FUNCTIONS, '');
        await writeFile(client, 'set_ftrace_filter', func, true);
      }
      await withBreakpointWarnings(client, () => use.#set('current_tracer', 'function_graph', 'nop'));
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
    for await (const bytes of this.#undo.follow('trace_pipe', signal)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  }

  /** Gives everything its value of before. A process that has ended needs nothing. */
  async release(): Promise<void> {
    try {
      for (const [path, text] of this.#before.splice(0)) await writeFile(this.#client, path, text);
      await this.#undo.clear();
    } catch (error) {
      // The process does it when the session ends.
      if (!(error instanceof TraceError)) throw error;
    } finally {
      this.#undo.close();
    }
  }

  async #switch(path: string): Promise<void> {
    if ((await this.#client.read(path)).trim() === '0') await this.#set(path, '1', '0');
  }

  async #set(path: string, text: string, old: string): Promise<void> {
    await this.#undo.add({ path, text: old });
    this.#before.unshift([path, old]);
    await writeFile(this.#client, path, text);
  }
}

/** One tracer runs at a time, with its filters, and somebody may still want to read what it has recorded. */
async function refuseIfBusy(client: TraceClient): Promise<void> {
  const tracer = (await client.read('current_tracer')).trim();
  if (tracer !== 'nop') throw new TraceError('EBUSY', `the tracer ${tracer} is on; fentry reset ends it`);
  for (const path of ['set_ftrace_filter', 'set_graph_function']) {
    const isFree = (await client.read(path)).split('\n').every((line) => line === '' || line.startsWith('#'));
    if (!isFree) throw new TraceError('EBUSY', `somebody has set ${path}; fentry reset empties it`);
  }
}

async function noSuch(client: TraceClient, func: string, error: unknown): Promise<never> {
  if (!(error instanceof TraceError) || error.errno !== 'EINVAL') throw error;
  const lines = (await client.read('available_filter_functions').catch(() => '')).split('\n');
  const known = lines.map((line) => line.split(/[ \t]/)[0]!);
  throw new TraceError('ENOENT', `no function matches ${func}${didYouMean(func, known)}`);
}
