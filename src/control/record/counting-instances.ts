import { TraceError } from '../../base/errno.js';
import { compileGlob } from '../../base/glob.js';
import { type EventRequest, requestedEvents } from '../../events/event-request.js';
import type { EventName } from '../../events/set-event-word.js';
import { countsInHist, eventRow, functionWrites, recordsInStats } from '../../recording/counting.js';
import type { CountedRow } from '../../recording/process-counts.js';
import type { TraceDirectory } from '../tracefs/node.js';
import { lookup, mkdir, rmdir } from '../tracefs/path.js';
import { appendTo, readFrom } from '../tracefs/read-write.js';

/** Another number follows the name if an instance exists. */
const MOST_INSTANCES = 1000;

interface FunctionCounter {
  readonly word: string;
  readonly instance: string;
}

/** The instances in which this process counts for `fentry stat -- COMMAND`, as that command makes them in a running process. */
export class CountingInstances {
  readonly #root: TraceDirectory;
  /** The directory of the instance of the events, with a slash at its end. */
  readonly events: string;
  readonly #isCounted: (event: EventName) => boolean;
  readonly #functions: readonly FunctionCounter[];

  private constructor(
    root: TraceDirectory,
    events: string,
    isCounted: (event: EventName) => boolean,
    functions: readonly FunctionCounter[],
  ) {
    this.#root = root;
    this.events = events;
    this.#isCounted = isCounted;
    this.#functions = functions;
  }

  /** Makes them. Rejects with the TraceError of what was refused. */
  static async make(
    root: TraceDirectory,
    requests: readonly EventRequest[],
    words: readonly string[],
  ): Promise<CountingInstances> {
    const functions: FunctionCounter[] = [];
    for (const word of words) {
      const instance = await freeInstance(root);
      for (const { path, text } of functionWrites(word)) await appendTo(root, `${instance}${path}`, text);
      functions.push({ word, instance });
    }
    const patterns = requests.map(requestedEvents);
    const isCounted = (event: EventName): boolean => patterns.some((names) => names(event));
    return new CountingInstances(root, await freeInstance(root), isCounted, functions);
  }

  /** What the events' triggers have counted; each row once a trigger is there. */
  async eventRows(): Promise<readonly CountedRow[]> {
    const rows: CountedRow[] = [];
    for (const system of namesIn(this.#root, `${this.events}events`)) {
      for (const event of namesIn(this.#root, `${this.events}events/${system}`)) {
        const path = `${this.events}events/${system}/${event}/hist`;
        if (!this.#isCounted({ system, name: event }) || !exists(this.#root, path)) continue;
        for (const { filter, count } of countsInHist(await readFrom(this.#root, path)))
          rows.push({ name: eventRow(system, event, filter), count });
      }
    }
    return rows;
  }

  /**
   * The calls of functions, without words that match none.
   * @param isLast words that match functions that were not called are among them
   */
  async functionRows(isLast: boolean): Promise<readonly CountedRow[]> {
    const rows: CountedRow[] = [];
    for (const { word, instance } of this.#functions) {
      let count = 0;
      for (const cpu of namesIn(this.#root, `${instance}per_cpu`))
        count += recordsInStats(await readFrom(this.#root, `${instance}per_cpu/${cpu}/stats`));
      if (count > 0 || (isLast && (await this.#matches(word)))) rows.push({ name: word, count });
    }
    return rows;
  }

  /** Ends the counting. */
  async remove(): Promise<void> {
    for (const path of [this.events, ...this.#functions.map(({ instance }) => instance)])
      await rmdir(this.#root, path).catch(() => {});
  }

  async #matches(word: string): Promise<boolean> {
    const [name = '', module] = word.split(':mod:');
    const isName = compileGlob(name === '' ? '*' : name).test;
    const lines = (await readFrom(this.#root, 'available_filter_functions')).trimEnd().split('\n');
    return lines.some((line) => isName(line.split(/[ \t]/)[0]!) && (module === undefined || line.endsWith(`[${module}]`)));
  }
}

async function freeInstance(root: TraceDirectory): Promise<string> {
  for (let n = 0; n < MOST_INSTANCES; n++) {
    const path = `instances/stat${n === 0 ? '' : `.${n}`}`;
    if (exists(root, path)) continue;
    await mkdir(root, path);
    return `${path}/`;
  }
  throw new TraceError('EEXIST', `there are ${MOST_INSTANCES} instances stat`);
}

function exists(root: TraceDirectory, path: string): boolean {
  try {
    lookup(root, path);
    return true;
  } catch {
    return false;
  }
}

function namesIn(root: TraceDirectory, path: string): readonly string[] {
  const node = lookup(root, path);
  return node.kind === 'directory' ? [...node.names()] : [];
}
