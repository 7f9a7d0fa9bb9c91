import { TraceError } from '../base/errno.js';
import { variableOf } from './fetch-root.js';
import { ArgumentParser } from './parse-argument.js';
import type { FetchScope } from './parse-fetch.js';
import type { ProbeCommand } from './probe-command.js';
import type { ProbeArgument } from './probe-definition.js';

/** Arguments that a probe may have (MAX_TRACE_ARGS). */
const MAX_ARGUMENTS = 128;
/** The first word that is an argument. */
export const FIRST_ARGUMENT = 2;
/** The word that says where the probe stands. */
const PLACE = 1;
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
  const parsed = words.map((word, i) => {
    const one = parser.parse(word, FIRST_ARGUMENT + i);
    const field = scope.fields === undefined ? undefined : variableOf(one.argument.fetch);
    if (field !== undefined && !scope.fields!.has(field)) command.refuse('BAD_ATTACH_ARG', FIRST_ARGUMENT + i);
    return one;
  });
  for (const [i, { last }] of parsed.entries()) {
    if (last === undefined) continue;
    if (last.error === 'BAD_MEM_ADDR') command.refuse(last.error, FIRST_ARGUMENT + i, last.at, { detail: NO_MEMORY });
    const errno = last.error === 'BAD_PROBE_ADDR' ? 'ENOENT' : 'EINVAL';
    // The kernel says nothing of it in an eprobe.
    if (scope.fields !== undefined) throw new TraceError(errno, `there is no such symbol: ${words[i]}`);
    command.refuse(last.error, PLACE, 0, { errno });
  }
  return parsed.map(({ argument }) => argument);
}

const NO_MEMORY = 'a value of JavaScript has no address';
