import Module from 'node:module';
import { filePath } from '../../base/file-path.js';
import { isMain } from '../../base/thread-id.js';
import { nodeWords, optionName } from '../loader/node-words.js';

/** The beginnings of options by which Node may run something before, or instead of, a program's file whose texts fentry sees. */
const RUNS_OTHER: readonly string[] = [
  ...['import', 'r', 'require', 'loader', 'experimental', 'eval', 'e', 'print', 'p', 'pe', 'interactive', 'i', 'input', 'test'],
  ...['watch', 'build', 'entry', 'run', 'default'],
];
const REQUIRES: readonly string[] = ['r', 'require'];
const IMPORT = '--import';
const THREADS = 'NativeModule worker_threads';

/** Whether fentry is all that Node runs besides the main file. One that is imported could be imported by another preload. */
const isOnlyPreload = (words: readonly string[], fentryFolder: string): boolean => {
  const preloads = words.filter((word) => RUNS_OTHER.includes(optionName(word)));
  const [word = ''] = preloads;
  if (preloads.length !== 1 || REQUIRES.includes(optionName(word))) return preloads.length === 1;
  const imported = word === IMPORT ? words[words.indexOf(word) + 1] : word.slice(IMPORT.length + 1);
  const isImport = word === IMPORT || word.startsWith(`${IMPORT}=`);
  const own: readonly unknown[] = ['fentry', `${fentryFolder}index.js`, `${filePath(fentryFolder)}index.js`];
  return isImport && own.includes(imported);
};

/**
 * Whether this is the main thread of a program that has run nothing yet, that will run a file, and that loads fentry by
 * `--require` or `--import` and nothing else: then its texts say beforehand which of Node's modules it can reach.
 *
 * @param fentryFolder URL of the folder of fentry's own files
 */
export const isFreshMain = (fentryFolder: string): boolean => {
  if (!isMain() || (process.argv[1] ?? '-') === '-' || !isOnlyPreload(nodeWords(), fentryFolder)) return false;
  const { moduleLoadList = [] } = process as unknown as { moduleLoadList?: readonly string[] };
  if (moduleLoadList.includes(THREADS)) return false;
  const { _cache: loaded } = Module as unknown as { _cache: object };
  return Object.keys(loaded).every((file) => file.startsWith(filePath(fentryFolder)));
};

/**
 * Beginnings of options by which something looks into the code that V8 has of a text: it must find what it would without a code
 * cache. No regular expression, which V8 would compile at each start.
 */
const LOOK_INTO_CODE = [
  '--inspect',
  '--enable-source-maps',
  '--policy',
  '--experimental-policy',
  '--experimental-test-coverage',
] as const;

/** Whether this process may run V8's code caches of its texts. */
export const mayPack = ({ execArgv, env } = process): boolean =>
  !env['NODE_V8_COVERAGE'] &&
  !env['NODE_COMPILE_CACHE'] &&
  !nodeWords({ execArgv, env }).some((word) => LOOK_INTO_CODE.some((beginning) => word.startsWith(beginning)));
