/** A line of a call graph, as `report` and `report --trace` print it. */
export interface GraphLine {
  readonly kind: 'leaf' | 'open' | 'close';
  /** All before the call's indentation. */
  readonly prefix: string;
  readonly indent: number;
  /** What makes calls alike: the function's name, and whether it was resumed, suspended or unwound. */
  readonly key: string;
  /** Microseconds; 0 if the line has none. */
  readonly duration: number;
  readonly cpu: string;
}

/** The columns before the bar end with a duration or blanks in its place. */
const LINE = /^(.*?(?:([\d.]+) us +| {10,})\| {2})( *)(\S.*)$/;
const CPU = /\[(\d{3,})\]|^ *(\d+)\)/;
const WORDS = /\b(resumed|suspended|unwound)\b/g;
/** By what a line's text is like: `f(1); /* ret=2 *\/`, `f(1) {`, `} /* f *\/`; each may have its depth behind it. */
const KINDS: readonly (readonly [GraphLine['kind'], RegExp])[] = [
  ['close', /^\}/],
  ['open', /\) \{( \/\* .* \*\/)?( \(\d+\))?$/],
  ['leaf', /\);( \/\* .* \*\/)?( \(\d+\))?$/],
];

/** Reads a line; undefined if it is not a line of a graph. */
export function graphLine(text: string): GraphLine | undefined {
  const [, prefix, duration, blanks, call] = LINE.exec(text) ?? [];
  if (prefix === undefined || blanks === undefined || call === undefined) return undefined;
  const kind = KINDS.find(([, pattern]) => pattern.test(call))?.[0];
  if (kind === undefined) return undefined;
  const [, bracketed, leading] = CPU.exec(prefix) ?? [];
  const comment = call.slice(call.lastIndexOf('/*') + 1 || call.length);
  const outcome =
    comment
      .replace(/ret=.*/, '')
      .match(WORDS)
      ?.join(' ') ?? '';
  const name = kind === 'close' ? '}' : call.slice(0, call.indexOf('('));
  const cpu = bracketed ?? leading ?? '';
  return { kind, prefix, indent: blanks.length, key: `${kind} ${name} ${outcome}`, duration: Number(duration ?? 0), cpu };
}
