import { DEFAULT_SECONDS, MOST_SECONDS } from '../../answers/allocations/allocations-answer.js';
import type { Inspect } from '../../port/inspect.js';
import type { TraceFile, TraceNode } from '../tracefs/node.js';
import { lazyDirectory } from '../tracefs/path.js';
import { askable } from './askable.js';
import { loadAnswers } from './load-answers.js';
import { TimedAnswer } from './timed-answer.js';

/** `30`, `30.json`. */
const NAME = /^([1-9]\d{0,2})(\.json)?$/;

/**
 * The files of allocations: `allocations` and its data, which take some seconds to read, and allocations_seconds/ with a file for
 * each number of seconds that somebody asks for.
 */
export function allocationsFiles(inspect: () => Inspect | undefined): Readonly<Record<string, TraceNode>> {
  const file = (seconds: number, isJson: boolean): TraceFile => ({
    kind: 'file',
    mode: 0o440,
    open() {
      const asked = askable(inspect());
      return new TimedAnswer((closed) => loadAnswers().allocationsContent(asked, seconds, isJson, closed));
    },
  });
  return {
    allocations: file(DEFAULT_SECONDS, false),
    'allocations.json': file(DEFAULT_SECONDS, true),
    allocations_seconds: lazyDirectory({
      files: () => [],
      directories: () => [],
      get(name) {
        const [, digits, json] = NAME.exec(name) ?? [];
        const seconds = Number(digits);
        return seconds <= MOST_SECONDS ? file(seconds, json !== undefined) : undefined;
      },
    }),
  };
}
