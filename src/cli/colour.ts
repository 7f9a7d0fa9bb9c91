const DIM = '\u001b[2m';
const RED = '\u001b[31m';
const YELLOW = '\u001b[33m';
const PLAIN = '\u001b[0m';

/** Lines of a trace that get a colour: comments, and long durations, by the marks of the graph. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^#|^ *\|? *\.\.\. \d+ more like it, /, DIM],
  [/^CPU:\d+ \[(LOST |\d+ )?(\d+ )?EVENTS( DROPPED)?\]$/, RED],
  [/ [$@*#] \d+(\.\d+)? us/, RED],
  [/ [!+] \d+(\.\d+)? us/, YELLOW],
];

/** A line of a trace in the colours of a terminal. */
export function colourLine(line: string): string {
  const colour = RULES.find(([pattern]) => pattern.test(line))?.[1];
  return colour === undefined ? line : `${colour}${line}${PLAIN}`;
}
