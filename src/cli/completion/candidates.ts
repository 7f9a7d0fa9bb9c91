import { helpOf } from '../help-rows.js';
import type { OptionSpec, OptionSpecs } from '../option-specs.js';
import type { Verb } from '../verb.js';

/** A possible word at the cursor, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Where the values of options come from. */
export interface ValueSource {
  /** The possible values of an option; some may not begin with `typed`. Empty: a file, or unknown. */
  values(verb: string, option: string, typed: string, pid: number | undefined): Promise<readonly Candidate[]>;
}

/** Verbs whose words are control files. */
const FILE_VERBS: ReadonlySet<string> = new Set(['cat', 'write', 'append', 'ls']);
/** Verbs whose words are a command. */
const COMMAND_VERBS: ReadonlySet<string> = new Set(['record', 'stat', 'exec', 'env']);

/**
 * The possible words at the cursor; none if it is a file, because the shell completes files itself.
 * @param words of the command line, without the command's own name; the last is being typed
 */
export async function candidates(
  words: readonly string[],
  verbs: readonly Verb[],
  source: ValueSource,
): Promise<readonly Candidate[]> {
  const [name = '', ...rest] = words;
  const typed = words.at(-1) ?? '';
  if (words.length <= 1 || (name === 'help' && words.length === 2))
    return starting(
      typed,
      verbs.map(({ name: word, summary }) => ({ word, about: summary })),
    );
  const verb = verbs.find((one) => one.name === name);
  if (verb === undefined) return [];
  const before = rest.slice(0, -1);
  if (COMMAND_VERBS.has(verb.name) && hasCommand(before, verb.options)) return [];
  const pid = pidIn(before, verb.options);
  const previous = before.at(-1) ?? '';
  const taker = takerOf(previous, verb.options);
  if (taker !== undefined) return starting(typed, await source.values(verb.name, taker, typed, pid));
  const [, long, value] = /^--([^=]+)=(.*)$/s.exec(typed) ?? [];
  if (long !== undefined && value !== undefined) {
    const values = starting(value, await source.values(verb.name, long, value, pid));
    return values.map(({ word, about }) => ({ word: `--${long}=${word}`, about }));
  }
  if (typed.startsWith('-')) return starting(typed, optionsOf(verb));
  if (FILE_VERBS.has(verb.name)) return starting(typed, await source.values(verb.name, 'file', typed, pid));
  if (verb.name === 'list' && /^(-f|--functions)$/.test(previous))
    return starting(typed, await source.values(verb.name, 'function', typed, pid));
  if (verb.name === 'list' && /^(-e|--events)$/.test(previous))
    return starting(typed, await source.values(verb.name, 'event', typed, pid));
  if (verb.name === 'probe' && /^(-l|--list)$/.test(previous))
    return starting(typed, await source.values(verb.name, 'del', typed, pid));
  if (verb.name === 'bpftrace' && /^(-l|--list)$/.test(previous))
    return starting(typed, await source.values(verb.name, 'program', typed, pid));
  if (verb.name === 'probe') return starting(typed, await source.values(verb.name, 'function', typed, pid));
  if (verb.name === 'detach') return starting(typed, await source.values(verb.name, 'pid', typed, pid));
  if (verb.name === 'completion') return starting(typed, await source.values(verb.name, 'shell', typed, pid));
  return [];
}

const starting = (typed: string, all: readonly Candidate[]): readonly Candidate[] =>
  all.filter(({ word }) => word.startsWith(typed));

function optionsOf({ options, help }: Verb): readonly Candidate[] {
  const all = Object.entries<OptionSpec>(options).map(([name, { short }]) => ({
    word: `--${name}`,
    about: helpOf(help, name, short) ?? '',
  }));
  return [...all, { word: '--help', about: 'what the verb does, and its options' }];
}

/** The option that takes the word after `word` as its value. */
function takerOf(word: string, options: OptionSpecs): string | undefined {
  const [name, spec] =
    Object.entries<OptionSpec>(options).find(
      ([long, { short }]) => word === `--${long}` || (short !== undefined && word === `-${short}`),
    ) ?? [];
  return spec?.type === 'string' ? name : undefined;
}

/** Whether the words of the command to run have begun. */
function hasCommand(before: readonly string[], options: OptionSpecs): boolean {
  return before.some(
    (word, i) => word === '--' || (!word.startsWith('-') && takerOf(before[i - 1] ?? '', options) === undefined),
  );
}

function pidIn(before: readonly string[], options: OptionSpecs): number | undefined {
  const at = before.findLastIndex((_, i) => takerOf(before[i - 1] ?? '', options) === 'pid');
  const text = before[at] ?? before.find((word) => word.startsWith('--pid='))?.slice('--pid='.length);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
