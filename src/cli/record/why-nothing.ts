import { requestWord } from '../event-options.js';
import { type TracerOptionValues, tracerOf } from '../tracer-options.js';
import type { Ending } from './run-command.js';

/** The options that select functions. */
const SELECTING = [
  ['-l', 'function'],
  ['-g', 'graph'],
] as const;

/** Only a possible reason: nothing says whether the program called `eval`. */
const NO_FILE = 'code from eval, new Function, node -e, or vm without the name of a file is not traced: docs/limitations.md';
const PACKAGES = '--own leaves out the functions of installed packages';
const LAST_EVENTS = 'the events of the last quarter of a second before the signal may be lost';

/** The likely reason why a recording of a command has no events. @param processes how many were recorded */
export function whyNothing(processes: number, options: TracerOptionValues, ending: Ending): string {
  if (processes === 0) return 'nothing was recorded: the command started no Node process';
  if (tracerOf(options) === 'nop')
    return `nothing was recorded: ${noEvent(options)}${'signal' in ending ? ` (${LAST_EVENTS})` : ''}`;
  const notes = [...(options.own ? [PACKAGES] : []), ...('signal' in ending ? [LAST_EVENTS] : []), NO_FILE];
  return `nothing was recorded: ${noFunction(options)} (${notes.join('; ')})`;
}

/** The reason why a recording of processes that ran already has no events. */
export function whyNothingRan(options: TracerOptionValues): string {
  return `nothing was recorded: ${tracerOf(options) === 'nop' ? noEvent(options) : noFunction(options)} in this time`;
}

function noFunction(options: TracerOptionValues): string {
  const selected = [
    ...SELECTING.flatMap(([letter, name]) => (options[name] ?? []).map((word) => `${letter} ${word}`)),
    ...(options.own ? ['--own'] : []),
    ...(options['min-duration'] === undefined ? [] : [`--min-duration ${options['min-duration']}`]),
  ];
  return selected.length > 0 ? `no function was called that matches ${selected.join(' ')}` : 'no function of a module was called';
}

function noEvent({ events = [] }: TracerOptionValues): string {
  const words = events.filter(({ enable }) => enable).map((request) => `-e ${requestWord(request)}`);
  return `no event happened that matches ${words.join(' ')}`;
}
