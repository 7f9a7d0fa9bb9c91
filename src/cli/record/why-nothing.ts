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

/** The likely reason why a recording has no events. @param processes how many were recorded */
export function whyNothing(processes: number, options: TracerOptionValues, ending: Ending): string {
  if (processes === 0) return 'nothing was recorded: the command started no Node process';
  if (tracerOf(options) === 'nop') return `nothing was recorded: ${noEvent(options, ending)}`;
  const selected = [
    ...SELECTING.flatMap(([letter, name]) => (options[name] ?? []).map((word) => `${letter} ${word}`)),
    ...(options.own ? ['--own'] : []),
    ...(options['min-duration'] === undefined ? [] : [`--min-duration ${options['min-duration']}`]),
  ];
  const what =
    selected.length > 0 ? `no function was called that matches ${selected.join(' ')}` : 'no function of a module was called';
  const notes = [...(options.own ? [PACKAGES] : []), ...('signal' in ending ? [LAST_EVENTS] : []), NO_FILE];
  return `nothing was recorded: ${what} (${notes.join('; ')})`;
}

function noEvent({ events = [] }: TracerOptionValues, ending: Ending): string {
  const words = events.filter(({ enable }) => enable).map((request) => `-e ${requestWord(request)}`);
  return `no event happened that matches ${words.join(' ')}${'signal' in ending ? ` (${LAST_EVENTS})` : ''}`;
}
