import { compileGlob } from '../../base/glob.js';
import { marksOf } from '../node-marks.js';
import type { ScriptPoint } from '../program.js';
import type { ScriptTarget, TargetFunction } from '../target.js';
import { type ProviderName, providerOf } from './points.js';

/** A line of the listing, and below it with -v what `args` has. */
interface Listed {
  readonly name: string;
  readonly args: readonly string[];
}

const ENTRY = { kind: 'function', at: 'entry', symbol: '*' } as const satisfies ScriptPoint;
const RETURN = { kind: 'function', at: 'return', symbol: '*' } as const satisfies ScriptPoint;

const functionName = ({ module, symbol }: TargetFunction): string => (module === '' ? symbol : `${module}:${symbol}`);

const ofFunctions = (
  provider: ProviderName,
  point: typeof ENTRY | typeof RETURN,
  hasArgs: boolean,
  target: ScriptTarget,
): readonly Listed[] =>
  target.functions(point).map((found) => ({
    name: `${provider}:${functionName(found)}`,
    args: hasArgs ? found.params : [],
  }));

const ofFiles = (provider: ProviderName, point: typeof ENTRY | typeof RETURN, target: ScriptTarget): readonly Listed[] =>
  target
    .functions(point)
    .filter(({ module }) => module === '')
    .map(({ file, symbol, params }) => ({ name: `${provider}:${file}:${symbol}`, args: params }));

const LISTS: Readonly<Partial<Record<ProviderName, (target: ScriptTarget) => readonly Listed[]>>> = {
  kfunc: (target) => ofFunctions('kfunc', ENTRY, true, target),
  kprobe: (target) => ofFunctions('kprobe', ENTRY, false, target),
  kretfunc: (target) => ofFunctions('kretfunc', RETURN, true, target),
  kretprobe: (target) => ofFunctions('kretprobe', RETURN, false, target),
  tracepoint: (target) =>
    target.events('*', '*').map(({ system, name, fields }) => ({
      name: `tracepoint:${system}:${name}`,
      args: fields.map((field) => `${field.isText ? 'char *' : field.type} ${field.name}`),
    })),
  uprobe: (target) => ofFiles('uprobe', ENTRY, target),
  uretprobe: (target) => ofFiles('uretprobe', RETURN, target),
  usdt: (target) =>
    marksOf('*', target).map(({ name, args }) => ({
      name: `usdt:node:${name}`,
      args: args.map((field, i) => `arg${i}: ${field}`),
    })),
};

/** Providers that are listed only if they are named: each of their names is another's, too. */
const ASKED: readonly ProviderName[] = ['kretfunc', 'kretprobe', 'uprobe', 'uretprobe', 'kfunc'];

/**
 * The points of a program that match: `kprobe:handle*`, `tracepoint:http:*`, `*read*`, several with commas between them; '' is
 * all. A pattern without a colon is one of the whole line.
 */
export function listPoints(pattern: string, isVerbose: boolean, target: ScriptTarget): string {
  const patterns = pattern.split(',').map((part) => part.trim());
  const lines = new Set<string>();
  for (const one of patterns) {
    for (const { name, args } of matching(one, target)) {
      lines.add([name, ...(isVerbose ? args.map((arg) => `    ${arg}`) : [])].join('\n'));
    }
  }
  return [...lines].map((line) => `${line}\n`).join('');
}

function matching(pattern: string, target: ScriptTarget): readonly Listed[] {
  const [written = '', ...rest] = pattern.split(':');
  const provider = rest.length === 0 ? undefined : providerOf(written);
  const whole = pattern === '' ? '*' : provider === undefined ? pattern : [provider, ...rest].join(':');
  const { test } = compileGlob(whole);
  const names = Object.keys(LISTS) as ProviderName[];
  const asked =
    provider === undefined ? names.filter((name) => !ASKED.includes(name)) : names.filter((name) => name === provider);
  return asked.flatMap((name) => LISTS[name]!(target)).filter(({ name }) => test(name));
}
