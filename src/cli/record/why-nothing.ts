import type { TracerOptions } from '../tracer-options.js';
import type { Ending } from './run-command.js';

/** The options that select functions. */
const SELECTING = [
  ['-l', 'function'],
  ['-g', 'graph'],
] as const;

/** The likely reason why a recording has no events. @param processes how many were recorded */
export function whyNothing(processes: number, options: TracerOptions, ending: Ending): string {
  if (processes === 0) return 'nothing was recorded: the command started no Node process';
  const selected = [
    ...SELECTING.flatMap(([letter, name]) => (options[name] ?? []).map((word) => `${letter} ${word}`)),
    ...(options.own ? ['--own'] : []),
    ...(options['min-duration'] === undefined ? [] : [`--min-duration ${options['min-duration']}`]),
  ];
  if (selected.length > 0) return `nothing was recorded: no function was called that matches ${selected.join(' ')}`;
  const note =
    'signal' in ending
      ? 'the events of the last quarter of a second before the signal are lost'
      : 'docs/limitations.md lists what is not traced';
  return `nothing was recorded: no function of a module was called (${note})`;
}
