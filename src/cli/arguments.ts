import { parseArgs } from 'node:util';
import { nearest } from './nearest.js';
import type { OptionSpec, OptionSpecs } from './option-specs.js';
import { UsageError } from './verb.js';

export type { OptionSpec, OptionSpecs };

type Value<Spec extends OptionSpec> = Spec extends { type: 'boolean' }
  ? boolean
  : Spec extends { multiple: true }
    ? readonly string[]
    : string;
/** Values of options on a command line. */
export type OptionValues<Specs extends OptionSpecs> = { readonly [Name in keyof Specs]?: Value<Specs[Name]> };

/** The option of every verb that talks to a process. */
export const PID_OPTION = { pid: { type: 'string', short: 'P' } } as const satisfies OptionSpecs;
/** Verbs that may work on an instance instead of the top level. */
export const INSTANCE_OPTION = { instance: { type: 'string', short: 'B' } } as const satisfies OptionSpecs;

/** Parses options and words. UsageError for an option that the verb does not have, or one without its value. */
export function parseOptions<Specs extends OptionSpecs>(
  args: readonly string[],
  specs: Specs,
): { readonly values: OptionValues<Specs>; readonly words: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: specs, allowPositionals: true, strict: true });
    return { values: values as OptionValues<Specs>, words: positionals };
  } catch (error) {
    throw new UsageError(complaint(error as NodeJS.ErrnoException, specs));
  }
}

/** Like parseOptions(), for a verb that takes no words: a word is a UsageError too. */
export function parseOptionsOnly<Specs extends OptionSpecs>(args: readonly string[], specs: Specs): OptionValues<Specs> {
  const { values, words } = parseOptions(args, specs);
  const [word] = words;
  if (word === undefined) return values;
  const meant = 'pid' in specs && /^\d+$/.test(word) ? `; a process is chosen with --pid ${word}` : '';
  throw new UsageError(`this verb takes no words: '${word}'${meant}`);
}

/** What parseArgs says of the value of an option that it knows: `Option '-l, --function <value>' argument missing`. */
const OF_VALUE = /^Option '(?:-(\w)(?:, )?)?(?:--([\w-]+))?(?: <value>)?' (argument|does not take)/;

/** The message of parseArgs in the words of this command, with the name that may have been meant. */
function complaint({ code, message }: NodeJS.ErrnoException, specs: OptionSpecs): string {
  const [, letter, long, what] = OF_VALUE.exec(message) ?? [];
  if (what !== undefined) {
    const option = letter === undefined ? `--${long}` : `-${letter}`;
    if (what !== 'argument') return `${option} takes no value`;
    const name = long ?? Object.keys(specs).find((one) => specs[one]?.short === letter);
    return `${option} needs a value; one that begins with a dash is written --${name}=-...`;
  }
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || unknown === undefined) {
    return message.replace(/\. To specify a positional.*$/s, '').replace(/\nDid you forget .*\n/, ' ');
  }
  const meant = unknown.startsWith('--') ? nearest(unknown.slice(2), Object.keys(specs)) : undefined;
  return `there is no option '${unknown}'${meant === undefined ? '' : `; did you mean '--${meant}'?`}`;
}

/**
 * Puts the options first and the words behind `--`, for a verb whose words may begin with a dash, such as `-:probe` and `-1`:
 * what begins with one dash and no letter of the verb's own is a word.
 */
export function optionsFirst(args: readonly string[], specs: OptionSpecs): readonly string[] {
  const letters = Object.values(specs).map(({ short }) => `-${short}`);
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const options: string[] = [];
  const words: string[] = [];
  for (let i = 0; i < end; i++) {
    const arg = args[i]!;
    const isOption = /^--\w/.test(arg) || letters.includes(arg.slice(0, 2));
    (isOption ? options : words).push(arg);
    if (isOption && takesNextWord(arg, specs) && i + 1 < end) options.push(args[++i]!);
  }
  return [...options, '--', ...words, ...args.slice(end + 1)];
}

/**
 * Splits off the command that a verb is to run: what follows `--`, or the first word that is neither an option nor the
 * value of one, as trace-cmd does.
 */
export function splitCommand(
  args: readonly string[],
  specs: OptionSpecs,
): { own: readonly string[]; command: readonly string[] } {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') return { own: args.slice(0, i), command: args.slice(i + 1) };
    if (!arg.startsWith('-') || arg === '-') return { own: args.slice(0, i), command: args.slice(i) };
    if (takesNextWord(arg, specs)) i++;
  }
  return { own: args, command: [] };
}

function takesNextWord(arg: string, specs: OptionSpecs): boolean {
  if (arg.startsWith('--')) return !arg.includes('=') && specs[arg.slice(2)]?.type === 'string';
  // `-p x` takes the next word, `-px` already has its value.
  const spec = Object.values(specs).find(({ short }) => short === arg[1]);
  return spec?.type === 'string' && arg.length === 2;
}

/** A whole number of at least `least`. UsageError otherwise. */
export function numberOption(name: string, value: string, least = 0): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least) {
    throw new UsageError(`${name} must be a whole number of at least ${least}, not '${value}'`);
  }
  return number;
}
