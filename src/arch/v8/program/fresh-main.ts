import Module from 'node:module';
import { isMain } from '../../../agent/thread-id.js';

/** What Node may run before, or instead of, a program's file whose texts fentry sees. */
const RUNS_OTHER =
  /^--?(import|r|require|loader|experimental|eval|e|print|p|pe|interactive|i|input|test|watch|build|entry|run|default)\b/;
const THREADS = 'NativeModule worker_threads';

/** The words after which Node runs other code than the main file's: its own preload is one of them. */
const preloads = ({ execArgv, env } = process): number =>
  [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)].filter((word) => RUNS_OTHER.test(word)).length;

const isRequired = ({ execArgv, env } = process): boolean =>
  [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)].some((word) => /^(-r|--require)\b/.test(word));

/**
 * Whether this is the main thread of a program that has run nothing yet, that will run a file, and that loads fentry by
 * `--require` and nothing else: then its texts say beforehand which of Node's modules it can reach.
 */
export const isFreshMain = (ownPath: string): boolean => {
  if (!isMain() || (process.argv[1] ?? '-') === '-' || !isRequired() || preloads() !== 1) return false;
  const { moduleLoadList = [] } = process as unknown as { moduleLoadList?: readonly string[] };
  if (moduleLoadList.includes(THREADS)) return false;
  const { _cache: loaded } = Module as unknown as { _cache: object };
  return Object.keys(loaded).every((file) => file.startsWith(ownPath));
};
