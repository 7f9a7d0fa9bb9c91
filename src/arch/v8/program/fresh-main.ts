import Module from 'node:module';
import { isMain } from '../../../agent/thread-id.js';
import { nodeWords, optionName } from '../loader/node-words.js';

/** The beginnings of options by which Node may run something before, or instead of, a program's file whose texts fentry sees. */
const RUNS_OTHER: readonly string[] = [
  ...['import', 'r', 'require', 'loader', 'experimental', 'eval', 'e', 'print', 'p', 'pe', 'interactive', 'i', 'input', 'test'],
  ...['watch', 'build', 'entry', 'run', 'default'],
];
const REQUIRES: readonly string[] = ['r', 'require'];
const THREADS = 'NativeModule worker_threads';

/** The words after which Node runs other code than the main file's: its own preload is one of them. */
const preloads = (words: readonly string[]): number => words.filter((word) => RUNS_OTHER.includes(optionName(word))).length;

const isRequired = (words: readonly string[]): boolean => words.some((word) => REQUIRES.includes(optionName(word)));

/**
 * Whether this is the main thread of a program that has run nothing yet, that will run a file, and that loads fentry by
 * `--require` and nothing else: then its texts say beforehand which of Node's modules it can reach.
 */
export const isFreshMain = (ownPath: string): boolean => {
  const words = nodeWords();
  if (!isMain() || (process.argv[1] ?? '-') === '-' || !isRequired(words) || preloads(words) !== 1) return false;
  const { moduleLoadList = [] } = process as unknown as { moduleLoadList?: readonly string[] };
  if (moduleLoadList.includes(THREADS)) return false;
  const { _cache: loaded } = Module as unknown as { _cache: object };
  return Object.keys(loaded).every((file) => file.startsWith(ownPath));
};
