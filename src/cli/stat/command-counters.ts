import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type EventRequest, encodeRequests, eventPattern } from '../../events/event-request.js';
import { countingTrigger } from '../../recording/counting.js';
import { askForLastPages } from '../../recording/last-pages.js';
import { countsIn, type ProcessCounts } from '../../recording/process-counts.js';
import { ownIdentity } from '../../recording/process-identity.js';
import { UsageError } from '../verb.js';
import { type Count, type Counted, mayBeFunction, sumOf } from './counted.js';

/** What the processes of a command have counted. */
export interface CommandCounts {
  readonly counts: readonly Count[];
  /** How many processes have counted. */
  readonly processes: number;
  /** The processes that ended without their last counts, or still run. */
  readonly incomplete: readonly number[];
}

/**
 * Counters in all Node processes that a command starts: each counts from its first call, in instances of its own, and writes
 * its counts into a folder.
 */
export class CommandCounters {
  readonly #counted: Counted;
  readonly #folder = mkdtempSync(join(tmpdir(), 'fentry-stat-'));

  /** UsageError for a word that no control file takes. */
  constructor(counted: Counted) {
    this.#counted = counted;
    const odd = functionWords(counted).find((word) => /[\s,"]/.test(word));
    if (odd === undefined) return;
    this.end();
    throw new UsageError(`'${odd}' cannot be a word of a control file`);
  }

  /** The value of FENTRY for the command. */
  parameters(inherited = ''): string {
    const requests = this.#counted.events.map(
      ({ pattern, filter }): EventRequest => ({ pattern, triggers: [countingTrigger(filter)] }),
    );
    const functions = functionWords(this.#counted);
    const words = [
      `stat=${pathToFileURL(this.#folder).href}`,
      ...(requests.length === 0 ? [] : [`stat_events=${encodeRequests(requests)}`]),
      ...(functions.length === 0 ? [] : [`stat_functions=${functions.join(',')}`]),
      `recorder=${ownIdentity()}`,
    ];
    return `${inherited} ${words.join(' ')}`.trim();
  }

  /** Has a process write its counts before a signal that may end it. */
  beforeSignal(pid: number, signal: NodeJS.Signals): void {
    askForLastPages(this.#folder, pid, signal);
  }

  read(): CommandCounts {
    const all = countsIn(this.#folder);
    const counts = sumOf(all.map((one) => rowsOf(one, this.#counted)));
    const missing = namesIn(this.#counted).filter((word) => !isNamed(word, counts));
    return {
      counts: [...counts, ...missing.map((name) => ({ name, count: undefined }))],
      processes: all.length,
      incomplete: all.filter(({ isLast }) => !isLast).map(({ pid }) => pid),
    };
  }

  end(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Every word that names functions, or may do so. */
const functionWords = ({ events, functions }: Counted): readonly string[] => [
  ...new Set([...events.filter(mayBeFunction).map(({ pattern }) => pattern), ...functions]),
];

/** What the command line names, in its order. */
const namesIn = ({ events, functions }: Counted): readonly string[] => [...events.map(({ pattern }) => pattern), ...functions];

const eventOf = (row: string): { system: string; name: string } => {
  const [system = '', name = ''] = row.replace(/ if .*$/s, '').split(':');
  return { system, name };
};

/** Whether a row is what a word of the command line names. */
const isNamed = (word: string, counts: readonly Count[]): boolean =>
  counts.some(
    ({ name }) => name === word || (!word.includes(':mod:') && name.includes(':') && eventPattern(word)(eventOf(name))),
  );

/** The rows of a process: a word that names events there names no functions. */
function rowsOf({ events, functions }: ProcessCounts, counted: Counted): readonly Count[] {
  const place = (row: string): number => counted.events.findIndex(({ pattern }) => eventPattern(pattern)(eventOf(row)));
  const isOfEvents = (word: string): boolean =>
    !counted.functions.includes(word) && events.some(({ name }) => eventPattern(word)(eventOf(name)));
  return [...[...events].sort((a, b) => place(a.name) - place(b.name)), ...functions.filter(({ name }) => !isOfEvents(name))];
}
