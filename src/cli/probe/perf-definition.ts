import { UsageError } from '../verb.js';

/** A probe as perf probe's --add takes it, in its parts. */
export interface PerfDefinition {
  readonly group: string | undefined;
  readonly event: string | undefined;
  /** `FUNC[@FILE][+OFFS|%return|%settled|:LINE]` or `FILE:LINE`. */
  readonly place: string;
  readonly args: readonly string[];
}

const NAMED = /^(?:(?<group>[A-Za-z_][\w-]*)[:/])?(?<event>[A-Za-z_]\w*)=(?<place>.+)$/s;

/** Reads `[[GROUP:]EVENT=]PLACE [ARG...]`. Pure. @throws UsageError */
export function parsePerfDefinition(text: string): PerfDefinition {
  const [first, ...args] = text.split(/\s+/).filter((word) => word !== '');
  if (first === undefined) throw new UsageError("a definition names a place: 'FUNCTION', 'FUNCTION:LINE', 'FILE:LINE'");
  const { group, event, place = first } = NAMED.exec(first)?.groups ?? {};
  return { group, event, place, args };
}

/** The group of events that have none. */
export const GROUP = 'probe';

/** The name of an event that has none: that of its function, with the line, or for a function's end. */
export function eventNameOf(symbol: string, place: string): string {
  const [, line] = /:(\d+)$/.exec(place) ?? [];
  const [, end] = /%(return|settled)$/.exec(place) ?? [];
  const suffix = end !== undefined ? `__${end}` : line === undefined || line === '0' ? '' : `_L${line}`;
  const name = symbol.replace(/\W/g, '_').replace(/^(?=\d)/, '_');
  // As long as the kernel lets a name be, with a number behind it.
  return `${name.slice(0, MOST - suffix.length)}${suffix}`;
}

const MOST = 58;

/** A name that is still free: the same with a number behind it. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  let free = name;
  for (let i = 1; taken(free); i++) free = `${name}_${i}`;
  return free;
}
