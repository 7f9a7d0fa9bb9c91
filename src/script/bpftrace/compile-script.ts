import { type Compiled, type CompileScript, ScriptRefusal } from '../compiler.js';
import type { ScriptProgram } from '../program.js';
import type { ScriptTarget } from '../target.js';
import { compileBpftrace } from './compile.js';
import { listPoints } from './list-points.js';
import { showProgram } from './show-program.js';

/** What bpftrace's command line says of a script. */
interface Options {
  isList: boolean;
  isVerbose: boolean;
  isDry: boolean;
  childPid?: number;
  textSize?: number;
  mapKeys?: number;
  readonly args: string[];
}

/** The least and most of what bpftrace takes from its environment, and here from `-D NAME=VALUE`. */
const SIZES = {
  BPFTRACE_STRLEN: { name: 'textSize', least: 1, most: 1024 },
  BPFTRACE_MAP_KEYS_MAX: { name: 'mapKeys', least: 1, most: 1_000_000 },
} as const;

/** Compiles a script as the command bpftrace does, with its options: `-l`, `-v`, `-d`, and arguments of the script. */
export const compileBpftraceScript: CompileScript = ({ text, file, words }, target): Compiled => {
  const { isList, isVerbose, isDry, args, ...sizes } = readOptions(words);
  if (isList) return { kind: 'text', text: listPoints(args.join(','), isVerbose, target), warnings: '' };
  const name = file === '<input>' ? 'stdin' : file;
  const { program, warnings } = compileBpftrace(text, target, { name, args, ...sizes });
  const said = warnings.map((warning) => `${warning}\n`).join('');
  if (isDry) return { kind: 'text', text: showProgram(program), warnings: said };
  return { kind: 'program', program, warnings: said, banner: attaching(program, target) };
};

/** What bpftrace prints before it begins: each function that a glob matches is a probe. */
function attaching({ handlers }: ScriptProgram, target: ScriptTarget): string {
  let count = 0;
  for (const { point } of handlers) count += point.kind === 'function' ? Math.max(1, target.functions(point).length) : 1;
  return `Attaching ${count} probe${count === 1 ? '' : 's'}...\n`;
}

function readOptions(words: readonly string[]): Options {
  const options: Options = { isList: false, isVerbose: false, isDry: false, args: [] };
  const rest = [...words];
  while (rest[0]?.startsWith('-') && rest[0] !== '-') {
    const word = rest.shift()!;
    if (word === '--') break;
    if (word === '-l') options.isList = true;
    else if (word === '-v') options.isVerbose = true;
    else if (word === '-d') options.isDry = true;
    else if (word === '-D') readSize(rest.shift() ?? '', options);
    else if (word === '--child') options.childPid = Number(rest.shift());
    else throw new ScriptRefusal(`ERROR: bpftrace of fentry has no option ${word}: -l, -v, -d and -D NAME=VALUE can be given`);
  }
  options.args.push(...rest);
  return options;
}

function readSize(setting: string, options: Options): void {
  const [name = '', value = ''] = setting.split('=');
  const row = Object.hasOwn(SIZES, name) ? SIZES[name as keyof typeof SIZES] : undefined;
  if (row === undefined) throw new ScriptRefusal(`ERROR: -D ${setting}: ${Object.keys(SIZES).join(' and ')} can be set`);
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number < row.least || number > row.most) {
    throw new ScriptRefusal(`ERROR: -D ${setting}: ${name} is a number from ${row.least} to ${row.most}`);
  }
  options[row.name] = number;
}
