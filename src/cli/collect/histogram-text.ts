import type { HistogramLine } from '../../collect/line-rows.js';

type Histogram = Pick<HistogramLine, 'trigger' | 'entries'>;

const TRIGGER = /^# trigger info: (.*)$/;
const ENTRY = /^\{ (.*) \} +hitcount: +(\d+)(.*)$/;

/** `name: value, name: value`: the names and texts of an entry's keys. */
function keysOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(/, +(?=[\w.$-]+: )/).map((one) => {
    const at = one.indexOf(':');
    return [one.slice(0, at).trim(), one.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

/** The histograms of a file `hist`: of each its trigger, and its entries. */
export function histogramsIn(text: string): readonly Histogram[] {
  const found: { trigger: string; entries: Histogram['entries'][number][] }[] = [];
  for (const line of text.split('\n')) {
    const trigger = TRIGGER.exec(line)?.[1];
    if (trigger !== undefined) found.push({ trigger: trigger.replace(/ \[\w+\]$/, ''), entries: [] });
    const [, keys, hitcount, rest = ''] = ENTRY.exec(line) ?? [];
    if (keys === undefined) continue;
    const values = Object.fromEntries(
      Array.from(rest.matchAll(/([\w.$-]+): +(\d+)/g), ([, name, value]) => [name, Number(value)]),
    );
    found.at(-1)?.entries.push({ key: keysOf(keys), hitcount: Number(hitcount), values });
  }
  return found;
}
