import { basename } from 'node:path';
import type { FoundPlace } from '../ftrace/found-place.js';
import type { TextTable } from '../ftrace/text-table.js';

/** How a probe is put into the program: at a function's patch site, at the site of a statement, by a jump, or as a breakpoint. */
export type ProbeWay = 'site' | 'statement' | 'jump' | 'breakpoint';

/** A probe of a function, as kprobes/list shows it. */
export interface ListedKprobe {
  readonly address: number;
  /** `r`: of a function's end. */
  readonly kind: 'k' | 'r';
  readonly symbol: string;
  /** Units from the start of the function. */
  readonly offset: number;
  /** '' for the application's own. */
  readonly module: string;
  readonly isEnabled: boolean;
  readonly way: ProbeWay;
}

/** Where no probe can stand. */
export interface BlacklistedText {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly module: string;
}

/** What kprobes/list shows of a place: in no function it is one of its file. */
export function listedPlace(
  table: TextTable,
  { n, offset, text }: FoundPlace,
): Pick<ListedKprobe, 'address' | 'symbol' | 'offset' | 'module'> {
  if (text === undefined) return { address: table.address(n) + offset, symbol: table.name(n), offset, module: table.module(n) };
  const { name = basename(text.file), start = 0 } = text.body ?? {};
  return { address: text.base + offset, symbol: name, offset: offset - start, module: text.module };
}
