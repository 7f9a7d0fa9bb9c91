import { basename, relative, resolve } from 'node:path';

/** What a Node process runs. */
export interface Program {
  /** For people: `src/server.ts`, the package of an installed program, `npm run dev`, or `node` where there is no file. */
  readonly name: string;
  /**
   * `manager`: npm and its like, and process managers; `installed`: a program out of node_modules; `watcher`: node --watch, which
   * runs the same file in a child process; `own`: the user's.
   */
  readonly kind: 'manager' | 'installed' | 'watcher' | 'own';
}

/** Node's options whose value is the next word. */
export const WITH_VALUE =
  /^(-r|-C|--(require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists|watch-path|title|inspect-port|input-type|icu-data-dir|openssl-config|redirect-warnings|trace-event-categories))$/;
/** Options with which there is no file: the program is in the words, or Node's own. */
const WITHOUT_FILE = /^(-e|-p|-pe|-i|--eval|--print|--interactive|--test|--run)(=|$)/;
const WATCH = /^--watch(-path)?(=|$)/;

/** Files of package managers, wherever they are installed. */
const MANAGER_FILE = /^(npm|npx|yarn|pnpm|pnpx|corepack)(-cli)?([-.\d]+)?(\.[cm]?js)?$/;
/** Titles that package and process managers give their processes. */
const MANAGER_TITLE = /^(npm|npx|yarn|pnpm|PM2 v\S+: God Daemon)\b/;

/**
 * @param args its command line, as /proc/PID/cmdline has it; a single word where the program has set its title
 * @param folder its working directory
 */
export function programOf(args: readonly string[], folder: string): Program {
  const words = args.length === 1 ? args[0]!.split(' ') : args;
  if (!/^node(js)?[\d.]*$/.test(basename(words[0] ?? ''))) return titledProgram(args.join(' '));
  const { file, isWatcher } = commandLine(words.slice(1));
  if (file === undefined) return { name: 'node', kind: 'own' };
  if (MANAGER_FILE.test(basename(file)))
    return { name: basename(file).replace(/(-cli)?([-.\d]+)?\.[cm]?js$/, ''), kind: 'manager' };
  const path = resolve(folder, file);
  const packageName = /.*\/node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  if (packageName !== undefined) return { name: packageName, kind: packageName === 'pm2' ? 'manager' : 'installed' };
  const inside = relative(folder, path);
  return { name: inside.startsWith('../') ? path : inside, kind: isWatcher ? 'watcher' : 'own' };
}

function titledProgram(title: string): Program {
  const name = title.trim();
  return { name: name === '' ? 'node' : name, kind: MANAGER_TITLE.test(name) ? 'manager' : 'own' };
}

/** The file that node runs, and whether only to watch it. */
function commandLine(words: readonly string[]): { readonly file: string | undefined; readonly isWatcher: boolean } {
  let isWatcher = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--') return { file: words[i + 1], isWatcher };
    if (!word.startsWith('-')) return { file: word === 'inspect' ? words[i + 1] : word, isWatcher };
    if (WITHOUT_FILE.test(word)) return { file: undefined, isWatcher };
    isWatcher ||= WATCH.test(word);
    if (WITH_VALUE.test(word)) i++;
  }
  return { file: undefined, isWatcher };
}
