import { MathTrunc as trunc } from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';
import type { GlobalVariable } from '../program.js';
import type { ScriptType } from '../script-type.js';
import { average, emptyStats, type Stats } from './aggregate-table.js';
import type { MergedAggregate } from './aggregates.js';
import type { ArrayTable } from './array-table.js';
import { readLeaf, type SharedView } from './cells.js';
import { decimal } from './decimal.js';
import { bpftraceHistogram } from './histogram-text.js';
import type { KeyPart } from './key-index.js';
import type { ScriptLayout } from './layout.js';
import { divide, unsigned } from './longs.js';
import { sorted } from './sort-entries.js';
import { stackText } from './stack-text.js';
import { compareTexts } from './text.js';

/** A script's globals, as who prints them finds them. */
export interface Globals {
  readonly code: { readonly globals: readonly GlobalVariable[] };
  readonly layout: ScriptLayout;
  readonly view: SharedView;
  readonly arrays: readonly (ArrayTable | undefined)[];
  readonly merged: readonly (MergedAggregate | undefined)[];
}

/** An entry of a map: what is printed of it, and what it is sorted by. */
interface Row {
  readonly key: string;
  readonly text: string;
  readonly order: Long | string;
}

/** A value of its parts as bpftrace prints it: a tuple in parentheses. */
function valueText(type: ScriptType, part: () => KeyPart, isUnsigned = false, indent: 4 | 8 = 8): string {
  if (typeof type === 'object') {
    const elements = type.tuple;
    let text = '(';
    for (let i = 0; i < elements.length; i++) text += (i === 0 ? '' : ', ') + valueText(elements[i]!, part, isUnsigned, indent);
    return `${text})`;
  }
  const value = part();
  if (typeof value === 'string') return type === 'stack' ? stackText(value, indent) : value;
  return decimal(isUnsigned ? unsigned(value) : value);
}

/** `[a, 1]`; nothing for no keys. */
function keyText({ keys }: GlobalVariable, part: (n: number) => KeyPart): string {
  if (keys.length === 0) return '';
  let n = 0;
  let text = '[';
  for (let i = 0; i < keys.length; i++) text += (i === 0 ? '' : ', ') + valueText(keys[i]!, () => part(n++), false, 4);
  return `${text}]`;
}

const divided = (value: Long, div: number): Long => (div > 1 ? divide(value, div) : value);

/** What of an aggregate's samples is printed behind its name. */
function statsText({ stats: shape }: GlobalVariable, stats: Stats, div: number): { text: string; order: Long } {
  const shows = shape?.shows ?? (shape?.histogram === undefined ? 'count' : undefined);
  if (shows === undefined) {
    return { text: `\n${bpftraceHistogram(shape!.histogram!, stats.buckets, div > 1 ? div : 1)}`, order: stats.count };
  }
  const { count, sum, min, max } = stats;
  const average_ = average(stats);
  if (shows === 'stats') {
    return {
      text: `count ${decimal(count)}, average ${decimal(divided(average_, div))}, total ${decimal(divided(sum, div))}`,
      order: average_,
    };
  }
  const value = { count, sum, min, max, avg: average_ }[shows];
  return { text: decimal(divided(value, div)), order: value };
}

/** Whether an empty line stands behind the whole map, as behind averages; histograms have one behind each entry. */
const endsWithLine = ({ stats: shape }: GlobalVariable): boolean => shape?.shows === 'avg' || shape?.shows === 'stats';

function rowsOf(globals: Globals, id: number, div: number): Row[] {
  const global = globals.code.globals[id]!;
  const layout = globals.layout.globals[id]!;
  const rows: Row[] = [];
  if (layout.kind === 'stats') {
    const entries = globals.merged[id]!.entries();
    // A count is there before it is counted for the first time.
    if (entries.length === 0 && layout.isScalar && global.stats?.shows === 'count') {
      return [{ key: '', ...statsText(global, emptyStats(0), div) }];
    }
    for (let i = 0; i < entries.length; i++) {
      const { key, stats } = entries[i]!;
      rows[i] = { key: keyText(global, (n) => key[n]!), ...statsText(global, stats, div) };
    }
    return rows;
  }
  const add = (key: string, part: (n: number) => KeyPart): void => {
    let n = 0;
    const first = part(0);
    const isTuple = typeof global.type === 'object';
    const shown = typeof first === 'string' || isTuple ? first : divided(first, div);
    const text = valueText(global.type, () => (isTuple ? part(n++) : shown), global.isUnsigned);
    rows[rows.length] = { key, text, order: isTuple ? 0 : first };
  };
  if (layout.kind === 'scalar' && globals.view.words[layout.setAt] === 0) return rows;
  if (layout.kind === 'scalar') add('', (n) => readLeaf(globals.view, layout.leaves[n]!.kind, layout.leaves[n]!.at));
  else {
    const table = globals.arrays[id]!;
    const entries = table.entries();
    for (let i = 0; i < entries.length; i++) {
      add(
        keyText(global, (n) => table.key(entries[i]!, n)),
        (n) => table.value(entries[i]!, n),
      );
    }
  }
  return rows;
}

const isBehind = (a: Row, b: Row): boolean =>
  typeof a.order === 'string' || typeof b.order === 'string' ? compareTexts(a.key, b.key) > 0 : a.order > b.order;

/** A map as bpftrace prints it: by value, the last `top` of it, values divided. 0: all, as they are. */
export function printMap(globals: Globals, id: number, top = 0, div = 0): string {
  const global = globals.code.globals[id]!;
  const rows = sorted(rowsOf(globals, id, trunc(div)), isBehind);
  if (rows.length === 0) return '\n';
  const from = top > 0 && rows.length > top ? rows.length - top : 0;
  let text = '';
  for (let i = from; i < rows.length; i++) text += `${global.name}${rows[i]!.key}: ${rows[i]!.text}\n`;
  return endsWithLine(global) ? `${text}\n` : text;
}

/** One entry of a map. */
export function printElement(globals: Globals, id: number, key: readonly KeyPart[]): string {
  const global = globals.code.globals[id]!;
  const name = `${global.name}${keyText(global, (n) => key[n]!)}: `;
  if (global.type === 'stats') {
    const stats = globals.merged[id]!.find(key) ?? emptyStats(globals.merged[id]!.layout.buckets);
    return `${name}${statsText(global, stats, 0).text}\n`;
  }
  const table = globals.arrays[id]!;
  for (let n = 0; n < key.length; n++) table.put(n, key[n]!);
  const entry = table.find();
  let n = 0;
  return `${name}${valueText(global.type, () => table.value(entry, n++), global.isUnsigned)}\n`;
}
