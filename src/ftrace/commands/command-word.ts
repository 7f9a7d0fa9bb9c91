import { TraceError } from '../../base/errno.js';
import { kstrtoul } from '../../base/kstrto.js';
import { leadingIndex } from '../function-filter.js';
import type { FunctionPattern } from '../function-match.js';
import { type CommandName, FUNCTION_COMMANDS } from './command-table.js';

/** An event that enable_event and disable_event switch. */
export interface ProbeEvent {
  readonly system: string;
  readonly name: string;
  /** The word's place in the shared words that say which events are on. */
  readonly index: number;
}

/** Finds an event that can be switched; undefined if there is none with that name. */
export type FindEvent = (system: string, name: string) => ProbeEvent | undefined;

/** A word of set_ftrace_filter that is a command: `FUNC:COMMAND[:PARAMETER]`, with `!` before it to remove it. */
export interface CommandWord extends FunctionPattern {
  readonly not: boolean;
  readonly command: CommandName;
  /** How often each function's probe fires; undefined: always. A count of -1 is not a number of times: see ProbeTable. */
  readonly count?: bigint;
  readonly event?: ProbeEvent;
  readonly text: string;
}

/** Parses the text after a command's name (undefined if there is none). */
type Parameters = Pick<CommandWord, 'count' | 'event'>;
type ParameterParser = (text: string | undefined, not: boolean, findEvent: FindEvent) => Parameters;

const NO_COUNT = -1n;

/** A count, up to the next colon; ignored when the command is removed. */
function countOf(text: string, not: boolean): bigint {
  const number = text.split(':')[0]!;
  return not || number === '' ? NO_COUNT : BigInt.asIntN(64, kstrtoul(number));
}

const PARSERS: Readonly<Record<(typeof FUNCTION_COMMANDS)[CommandName]['takes'], ParameterParser>> = {
  nothing: () => ({}),
  count: (text, not) => (text === undefined ? {} : { count: countOf(text, not) }),
  event(text, not, findEvent) {
    const [system = '', name, ...rest] = (text ?? '').split(':');
    const event = name === undefined ? undefined : findEvent(system, name);
    if (event === undefined) throw new TraceError('EINVAL', `no event ${text ?? ''}`);
    if (rest.length === 0) return { event };
    if (rest[0] === '' && !not) throw new TraceError('EINVAL', 'a count is missing');
    return { event, count: countOf(rest[0]!, not) };
  },
};

/**
 * Parses a word; undefined when it is a plain one of the filter, or for `mod`.
 * @throws TraceError EINVAL for an unknown command or event, or for a count that is not a number; ERANGE
 */
export function parseCommandWord(text: string, findEvent: FindEvent): CommandWord | undefined {
  const not = text.startsWith('!');
  const [pattern = '', command, ...rest] = (not ? text.slice(1) : text).split(':');
  if (command === undefined || command === 'mod') return undefined;
  if (!Object.hasOwn(FUNCTION_COMMANDS, command)) throw new TraceError('EINVAL', `unknown command ${command}`);
  const row: { readonly takes: keyof typeof PARSERS; readonly times?: number } = FUNCTION_COMMANDS[command as CommandName];
  const parameters = PARSERS[row.takes](rest.length === 0 ? undefined : rest.join(':'), not, findEvent);
  const index = not ? undefined : leadingIndex(pattern);
  return {
    not,
    pattern,
    command: command as CommandName,
    text,
    ...(index !== undefined && { index }),
    ...(row.times !== undefined && { count: BigInt(row.times) }),
    ...parameters,
  };
}
