/** One row of a histogram. */
export interface HistRow {
  /** What was counted: `url: /slow`. */
  readonly key: string;
  /** The values by their names, `hitcount` first. */
  readonly values: readonly (readonly [name: string, value: number])[];
}

/** A histogram, as the file `hist` of an event shows it. */
export interface ShownHistogram {
  /** The trigger, as in `trigger`. */
  readonly trigger: string;
  readonly rows: readonly HistRow[];
  readonly hits: number;
  /** What found no room. */
  readonly dropped: number;
}

const ROW = /^\{ (.*) \}((?: +[^\s:]+: +[^\s]+)+)\s*$/;
const VALUE = /([^\s:]+): +(-?[\d.]+)/g;

/** Reads a file `hist`: one part for each histogram of the event. Rows of stacks, which have several lines, become one line. */
export function parseHist(text: string): readonly ShownHistogram[] {
  return text
    .split(/^# event histogram$/m)
    .slice(1)
    .map((part) => {
      const trigger = /^# trigger info: (.*?)(?: \[\w+\])?$/m.exec(part)?.[1] ?? '';
      const totalOf = (name: string): number => Number(new RegExp(`^ {4}${name}: (\\d+)$`, 'm').exec(part)?.[1] ?? 0);
      return { trigger, rows: rowsIn(part), hits: totalOf('Hits'), dropped: totalOf('Dropped') };
    });
}

function rowsIn(part: string): readonly HistRow[] {
  const body = part.replace(/\nTotals:[\s\S]*/, '').replace(/^#.*$/gm, '');
  // A stack is written one call a line.
  const lines = body.replace(/\n(?![{\n])\s*/g, ' ').split('\n');
  return lines.flatMap((line) => {
    const [, key, values] = ROW.exec(line.trim()) ?? [];
    if (key === undefined || values === undefined) return [];
    const pairs = Array.from(values.matchAll(VALUE), ([, name, value]) => [name!, Number(value)] as const);
    return [{ key: key.replace(/ +(?=,|$)/g, '').replace(/: +/g, ': '), values: pairs }];
  });
}
