/** A line of a source, and whether a probe can stand on it. */
export interface ShownLine {
  readonly line: number;
  readonly text: string;
  readonly isPlace: boolean;
}

/** Characters of a line's number, and the blanks behind it. */
const NUMBER = 7;
const GAP = 2;

/** Reads kprobes/lines/FILE: the lines of a file, from the one in the head on. */
export function probeLines(text: string): readonly ShownLine[] {
  const [head = '', ...rows] = text.replace(/\n$/, '').split('\n');
  const first = Number(/:(\d+)>$/.exec(head)?.[1] ?? 1);
  return rows.map((row, i) => {
    const isPlace = /^ *\d+$/.test(row.slice(0, NUMBER));
    return { line: first + i, text: row.slice(NUMBER + GAP), isPlace };
  });
}

/** A file as the name of one in kprobes/lines. */
export const linesPath = (file: string): string => `kprobes/lines/${file.replaceAll('/', '!')}`;

/** A probe that the process has. */
export interface KnownProbe {
  /** `GROUP:EVENT` */
  readonly name: string;
  readonly event: string;
  readonly place: string;
}

/** The probes in dynamic_events. */
export const knownProbes = (text: string): readonly KnownProbe[] =>
  Array.from(text.matchAll(/^[pr]\d*:([^/\s]+)\/(\S+) (\S+)/gm), ([, group, event, place]) => {
    return { name: `${group}:${event}`, event: event!, place: place! };
  });

/** A hit of a probe, out of a line of trace_pipe. */
export interface ShownHit {
  /** Seconds by the clock of the trace. */
  readonly time: string;
  readonly event: string;
  /** The values, without the place. */
  readonly values: string;
}

const HIT = /^.{16}-\S+ +\[\d+\] \S+ +([\d.]+): (\S+): \([^)]*\)(.*)$/;

/** Undefined for a line that is none. */
export function probeHit(line: string): ShownHit | undefined {
  const [, time, event, values = ''] = HIT.exec(line) ?? [];
  return time === undefined || event === undefined ? undefined : { time, event, values: values.trim() };
}
