import type { TraceFile, TraceNode } from '../tracefs/node.js';
import { lazyDirectory } from '../tracefs/path.js';
import { TimedAnswer } from './timed-answer.js';

/** What a file of an answer that takes some time is asked for. */
export interface TimedQuestion {
  readonly seconds: number;
  /** Whether `_forced` stands behind the number in the file's name. */
  readonly force: boolean;
  readonly isJson: boolean;
}

/** What makes the content; what it has begun ends when the file is closed. */
type Asking = (question: TimedQuestion, closed: AbortSignal) => Promise<string>;

/** `30`, `30.json`, `30_forced.json`. */
const NAME = /^([1-9]\d{0,3})(_forced)?(\.json)?$/;

interface TimedFiles {
  readonly name: string;
  /** The seconds of the file without a number, and the most. */
  readonly usual: number;
  readonly most: number;
  /** Whether it can be forced. */
  readonly mayForce: boolean;
  /** Makes what asks. @throws TraceError if nothing can be asked */
  begin(): Asking;
}

/**
 * The files of an answer that takes some time to read: `NAME` and its data, and NAME_seconds/ with a file for each number of
 * seconds that somebody asks for.
 */
export function timedFiles({ name, usual, most, mayForce, begin }: TimedFiles): Readonly<Record<string, TraceNode>> {
  const file = (question: TimedQuestion): TraceFile => ({
    kind: 'file',
    mode: 0o440,
    open() {
      const ask = begin();
      return new TimedAnswer((closed) => ask(question, closed));
    },
  });
  return {
    [name]: file({ seconds: usual, force: false, isJson: false }),
    [`${name}.json`]: file({ seconds: usual, force: false, isJson: true }),
    [`${name}_seconds`]: lazyDirectory({
      files: () => [],
      directories: () => [],
      get(word) {
        const [, digits, forced, json] = NAME.exec(word) ?? [];
        const seconds = Number(digits);
        if (!(seconds <= most) || (forced !== undefined && !mayForce)) return undefined;
        return file({ seconds, force: forced !== undefined, isJson: json !== undefined });
      },
    }),
  };
}
