import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type AllocationsAnswer, MOST_SECONDS } from '../../answers/allocations/allocations-answer.js';
import { allocationsText } from '../../answers/allocations/allocations-text.js';
import { type AnswerStyle, answerJson, answerLines } from '../../answers/answer.js';
import type { TraceClient } from '../../client/trace-client.js';
import { UsageError } from '../verb.js';
import { TopTerminal } from './top-terminal.js';

/** Signals that end it as `q` does. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const KEYS = 'q quit, k by what lives on, t by all that is allocated, a all functions';
/** Seconds of a reading, unless others are asked for: all that is allocated is counted in the first half. */
const DEFAULT_SECONDS = 2;

/** The seconds of `-d`. @throws UsageError if V8 cannot sample for so long */
export function allocSeconds(word = String(DEFAULT_SECONDS)): number {
  const seconds = Number(word);
  if (!/^[1-9]\d*$/.test(word) || seconds > MOST_SECONDS)
    throw new UsageError(`-d with --alloc must be whole seconds from 1 to ${MOST_SECONDS}, not '${word}'`);
  return seconds;
}

/** How the table is shown. */
export interface AllocTopOptions {
  readonly seconds: number;
  readonly style: AnswerStyle;
  readonly once: boolean;
  readonly isJson: boolean;
}

/** Shows the functions that allocate, once, or again and again until the user ends it. Rejects if the process ends. */
export async function allocTop(client: TraceClient, { seconds, style, once: isOnce, isJson }: AllocTopOptions): Promise<void> {
  const quit = new AbortController();
  const next = async (): Promise<AllocationsAnswer> =>
    JSON.parse(await text(await client.open(`answers/allocations_seconds/${seconds}.json`, quit.signal))) as AllocationsAnswer;
  if (isOnce) {
    const answer = await next();
    process.stdout.write(isJson ? answerJson(answer) : answerLines(allocationsText(answer, style)));
    return;
  }
  await drawn(next, quit, style);
}

async function drawn(next: () => Promise<AllocationsAnswer>, quit: AbortController, style: AnswerStyle): Promise<void> {
  let last: AllocationsAnswer | undefined;
  let all = style.all === true;
  let byKept = false;
  const draw = (): void => {
    const { columns, rows } = terminal.size;
    // A line with links could not be cut.
    const { linkHost: _linked, ...plain } = style;
    const lines = last === undefined ? ['V8 samples ...'] : allocationsText(last, { ...plain, all, byKept });
    terminal.draw([...lines.slice(0, rows - 1), KEYS].map((line) => line.slice(0, columns)));
  };
  const terminal = new TopTerminal((key) => {
    if (key === 'q') quit.abort();
    else if (key === 'a') all = !all;
    else if (key === 'k' || key === 't') byKept = key === 'k';
    draw();
  });
  process.stdout.on('resize', draw);
  void Promise.race(STOP_SIGNALS.map((name) => once(process, name))).then(() => quit.abort());
  try {
    draw();
    while (!quit.signal.aborted) {
      last = await next();
      draw();
    }
  } catch (error) {
    if (!quit.signal.aborted) throw error;
  } finally {
    process.stdout.off('resize', draw);
    terminal.close();
  }
}
