import { ArgumentParser } from './parse-argument.js';
import type { FetchScope } from './parse-fetch.js';
import type { ProbeCommand } from './probe-command.js';
import type { ProbeArgument } from './probe-definition.js';

/** Arguments that a probe may have (MAX_TRACE_ARGS). */
const MAX_ARGUMENTS = 128;
/** The first word that is an argument. */
export const FIRST_ARGUMENT = 2;
/** All parameters. */
export const ALL = '$arg*';

/**
 * The line with its `$arg*` replaced by the names of the function's parameters, as the kernel does since 6.5.
 * @param params undefined: they are not known
 */
export function expandArguments(
  command: ProbeCommand,
  { hasArguments }: Pick<FetchScope, 'hasArguments'>,
  params: readonly string[] | undefined,
): ProbeCommand {
  const at = command.words.indexOf(ALL, FIRST_ARGUMENT);
  if (at < 0) return command;
  if (!hasArguments) command.refuse('NOFENTRY_ARGS', at);
  const second = command.words.indexOf(ALL, at + 1);
  if (second >= 0) command.refuse('DOUBLE_ARGS', second);
  if (params === undefined) return command.refuse('NO_BTF_ENTRY', at);
  return command.withWords([...command.words.slice(0, at), ...params, ...command.words.slice(at + 1)]);
}

/** Every argument of a line, from the third word on. */
export function parseArguments(command: ProbeCommand, scope: FetchScope, count = command.words.length): readonly ProbeArgument[] {
  const words = command.words.slice(FIRST_ARGUMENT, count);
  if (words.length > MAX_ARGUMENTS) command.refuse('TOO_MANY_ARGS', FIRST_ARGUMENT + MAX_ARGUMENTS);
  const parser = new ArgumentParser(command, scope);
  const parsed = words.map((word, i) => parser.parse(word, FIRST_ARGUMENT + i));
  for (const [i, { memoryAt }] of parsed.entries()) {
    if (memoryAt !== undefined) command.refuse('BAD_MEM_ADDR', FIRST_ARGUMENT + i, memoryAt, { detail: NO_MEMORY });
  }
  return parsed.map(({ argument }) => argument);
}

const NO_MEMORY = 'a value of JavaScript has no address';
