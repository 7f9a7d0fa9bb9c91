import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { UndoAtEnd } from '../../client/undo-at-end.js';
import { type EventRequest, requestedEvents } from '../../events/event-request.js';
import type { EventName } from '../../events/set-event-word.js';
import { countingTrigger, countsInHist, eventRow, functionWrites, recordsInStats } from '../../recording/counting.js';
import { functionNames } from '../function-names.js';
import { didYouMean } from '../nearest.js';
import { complain } from '../output.js';
import { eventFolder, eventsOf, namedEvents } from '../process-events.js';
import { withBreakpointWarnings } from '../set-up.js';
import { writeFile } from '../write-file.js';
import { type Count, type Counted, mayBeFunction } from './counted.js';

/** Instances of one command in a process; another number follows the name if one exists. */
const MOST_INSTANCES = 1000;

interface FunctionCounter {
  readonly word: string;
  readonly instance: string;
}

/**
 * Counters in a running process: instances of its own, which nothing else uses and which disturb nothing else. Events are counted
 * by hist triggers, the calls of functions by the statistics of an instance for each word.
 */
export class ProcessCounters {
  readonly #client: TraceClient;
  readonly #undo: UndoAtEnd;
  readonly #instances: string[] = [];
  #events: { readonly instance: string; readonly names: readonly EventName[] } | undefined;
  readonly #functions: FunctionCounter[] = [];

  private constructor(client: TraceClient, undo: UndoAtEnd) {
    this.#client = client;
    this.#undo = undo;
  }

  /** Begins to count. ENOENT for what names no event and no function; nothing is left behind then. */
  static async start(client: TraceClient, counted: Counted): Promise<ProcessCounters> {
    const counters = new ProcessCounters(client, await UndoAtEnd.connect(client.socketPath));
    try {
      await counters.#start(counted);
      return counters;
    } catch (error) {
      await counters.end();
      throw error;
    }
  }

  /** Resolves when the process has ended. */
  get processEnded(): Promise<void> {
    return this.#undo.ended;
  }

  async #start({ events, functions }: Counted): Promise<void> {
    const known = await eventsOf(this.#client);
    const names = (request: EventRequest): boolean => known.some(requestedEvents(request));
    const ofEvents = events.filter((request) => names(request) || !mayBeFunction(request));
    const named = namedEvents(ofEvents, known);
    // Functions first: a misspelt one is found before anything is counted.
    for (const { pattern } of events)
      if (!ofEvents.some((one) => one.pattern === pattern)) await this.#addFunctions(pattern, known);
    for (const word of functions) await this.#addFunctions(word);
    if (named.length === 0) return;
    const instance = await this.#makeInstance();
    const all = new Map(named.flatMap((one) => one.events).map((event) => [eventFolder(event), event]));
    this.#events = { instance, names: [...all.values()] };
    for (const { request, events } of named) {
      for (const event of events) {
        await this.#write(`${instance}/${eventFolder(event)}/trigger`, countingTrigger(request.filter), true).catch(ignoreSecond);
      }
    }
  }

  /** @param events those that the word may have meant */
  async #addFunctions(word: string, events: readonly EventName[] = []): Promise<void> {
    const instance = await this.#makeInstance();
    await withBreakpointWarnings(this.#client, async () => {
      for (const { path, text } of functionWrites(word)) {
        try {
          await this.#write(`${instance}/${path}`, text);
        } catch (error) {
          if (path === 'set_ftrace_filter') throw await this.#noSuch(word, events, error);
          throw error;
        }
      }
    });
    this.#functions.push({ word, instance });
  }

  async #noSuch(word: string, events: readonly EventName[], error: unknown): Promise<unknown> {
    if (!(error instanceof TraceError) || error.errno !== 'EINVAL') return error;
    const known = [...(await functionNames(this.#client)), ...events.map(({ name }) => name)];
    return new TraceError('ENOENT', `no event and no function matches ${word}${didYouMean(word, known)}`);
  }

  /** Returns the path of an instance that did not exist. */
  async #makeInstance(): Promise<string> {
    for (let n = this.#instances.length; n < MOST_INSTANCES; n++) {
      const path = `instances/stat-${process.pid}${n === 0 ? '' : `.${n}`}`;
      try {
        await this.#undo.mkdir(path);
      } catch (error) {
        if (error instanceof TraceError && error.errno === 'EEXIST') continue;
        throw error;
      }
      this.#instances.push(path);
      return path;
    }
    throw new TraceError('EEXIST', `there are ${MOST_INSTANCES} instances stat-${process.pid}`);
  }

  #write(path: string, text: string, append = false): Promise<void> {
    return writeFile(this.#client, path, text, append);
  }

  /** What was counted until now. ENODEV once the process has ended. */
  async read(): Promise<readonly Count[]> {
    const functions = this.#functions.map(async ({ word, instance }) => ({ name: word, count: await this.#recordsOf(instance) }));
    const { instance, names } = this.#events ?? { instance: '', names: [] };
    const events = names.map(async (event) => {
      const text = await this.#client.read(`${instance}/${eventFolder(event)}/hist`);
      const { system, name } = event;
      return countsInHist(text).map(({ filter, count }) => ({ name: eventRow(system, name, filter), count }));
    });
    return [...(await Promise.all(events)).flat(), ...(await Promise.all(functions))];
  }

  async #recordsOf(instance: string): Promise<number> {
    const cpus = await this.#client.list(`${instance}/per_cpu`);
    const stats = await Promise.all(cpus.map(({ name }) => this.#client.read(`${instance}/per_cpu/${name}/stats`)));
    return stats.reduce((sum, text) => sum + recordsInStats(text), 0);
  }

  /** Removes the counters. A process that has ended has none. */
  async end(): Promise<void> {
    try {
      for (const path of this.#instances.splice(0).reverse()) await this.#client.rmdir(path);
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      // Its threads that are blocked obey later, and a process that has ended has no instances.
      if (error.errno !== 'ENODEV') complain(error.message);
    } finally {
      this.#undo.close();
    }
  }
}

/** Two words name the same event: it has the trigger already. */
function ignoreSecond(error: unknown): void {
  if (!(error instanceof TraceError) || error.errno !== 'EEXIST') throw error;
}
