import type { Long } from '../../events/c-types.js';
import type { ScriptCode } from '../script-code.js';
import { average } from './aggregate-table.js';
import type { MergedEntry } from './aggregates.js';
import { readLeaf } from './cells.js';
import { decimal } from './decimal.js';
import type { KeyPart } from './key-index.js';
import { type Globals, printMap } from './print-map.js';
import { sorted } from './sort-entries.js';
import { compareTexts } from './text.js';

const part = (value: KeyPart): string => (typeof value === 'string' ? `"${value}"` : decimal(value));

const keyText = (key: readonly KeyPart[]): string => (key.length === 0 ? '' : `[${key.map(part).join(',')}]`);

function statsText(name: string, { key, stats }: MergedEntry): string {
  if (stats.count === 0) return `${name}${keyText(key)} @count=0x0\n`;
  const numbers: readonly (readonly [string, Long])[] = [
    ['count', stats.count],
    ['min', stats.min],
    ['max', stats.max],
    ['sum', stats.sum],
    ['avg', average(stats)],
  ];
  return `${name}${keyText(key)} ${numbers.map(([what, value]) => `@${what}=${decimal(value)}`).join(' ')}\n`;
}

/** A global as SystemTap prints those that a script writes and never reads: arrays by their value, the largest first. */
function printGlobal(globals: Globals, id: number): string {
  const { name } = globals.code.globals[id]!;
  const layout = globals.layout.globals[id]!;
  if (layout.kind === 'scalar') {
    const { kind, at } = layout.leaves[0]!;
    return `${name}=${part(readLeaf(globals.view, kind, at))}\n`;
  }
  if (layout.kind === 'stats') {
    const entries = globals.merged[id]!.entries();
    if (entries.length === 0 && layout.isScalar) return `${name} @count=0x0\n`;
    return sorted(entries, (a, b) => a.stats.count < b.stats.count)
      .map((entry) => statsText(name, entry))
      .join('');
  }
  const table = globals.arrays[id]!;
  const isBehind = (a: number, b: number): boolean => {
    const [first, second] = [table.value(a, 0), table.value(b, 0)];
    return typeof first === 'string' || typeof second === 'string'
      ? compareTexts(String(first), String(second)) < 0
      : first < second;
  };
  return sorted(table.entries(), isBehind)
    .map((entry) => `${name}${keyText(layout.keys.map((_, n) => table.key(entry, n)))}=${part(table.value(entry, 0))}\n`)
    .join('');
}

/** The values of some globals. */
export const printGlobals = (globals: Globals, ids: readonly number[], language: ScriptCode['language']): string =>
  ids.map((id) => (language === 'stap' ? printGlobal(globals, id) : printMap(globals, id))).join('');
