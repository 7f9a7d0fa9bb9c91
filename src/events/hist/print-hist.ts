import { TextEncoder } from 'node:util';
import type { Long } from '../c-types.js';
import { FIELD, type HistAction, type HistData, type HistField, has } from './hist-data.js';
import { fieldName, isText } from './hist-field.js';
import type { HistTrigger } from './hist-trigger.js';
import { listedTrigger } from './listing.js';
import { unsigned } from './long.js';
import { keyNumber, keyText, sortedEntries } from './sorted-entries.js';
import { type MapEntry, readMap } from './tracing-map.js';

/** Names of what keys hold. Addresses are unsigned. */
export interface HistNamesOf {
  /** `%ps`: the symbol's name. */
  readonly symbol: (address: bigint) => string;
  /** `%pS`: `name+0x1/0x2 [module]`. */
  readonly symbolOffset: (address: bigint) => string;
  /** The name of a system call; undefined for a number that is none. */
  readonly syscall: (number: bigint) => string | undefined;
}

const right = (value: bigint | number | string, width: number): string => String(value).padStart(width);
const encoder = new TextEncoder();
/** C counts bytes. */
const left = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - encoder.encode(text).length));
const hex = (value: bigint): string => value.toString(16);

type PrintKey = (name: string, field: HistField, entry: MapEntry, names: HistNamesOf) => string;

/** A key's text by its modifier: the first that it has (hist_trigger_print_key). */
const PRINT_KEY: readonly (readonly [flag: number, print: PrintKey])[] = [
  [FIELD.HEX, (name, { offset }, entry) => `${name}: ${hex(keyNumber(entry, offset))}`],
  [
    FIELD.SYM,
    (name, { offset }, entry, { symbol }) => {
      const address = keyNumber(entry, offset);
      return `${name}: [${hex(address)}] ${left(symbol(address), 45)}`;
    },
  ],
  [
    FIELD.SYM_OFFSET,
    (name, { offset }, entry, { symbolOffset }) => {
      const address = keyNumber(entry, offset);
      return `${name}: [${hex(address)}] ${left(symbolOffset(address), 55)}`;
    },
  ],
  [FIELD.EXECNAME, (name, { offset }, entry) => `${name}: ${left(entry.comm, 16)}[${right(keyNumber(entry, offset), 10)}]`],
  [
    FIELD.SYSCALL,
    (name, { offset }, entry, { syscall }) => {
      const number = keyNumber(entry, offset);
      return `${name}: ${(syscall(number) ?? 'unknown_syscall').padEnd(30)}[${right(number, 3)}]`;
    },
  ],
  [FIELD.STACKTRACE, (_name, field, entry, { symbolOffset }) => `stacktrace:\n${stackText(field, entry, symbolOffset)}`],
  [FIELD.LOG2, (name, { offset }, entry) => `${name}: ~ 2^${String(keyNumber(entry, offset)).padEnd(2)}`],
  [
    FIELD.BUCKET,
    (name, { offset, buckets }, entry) => {
      const from = keyNumber(entry, offset);
      return `${name}: ~ ${from}-${BigInt.asUintN(64, from + buckets - 1n)}`;
    },
  ],
  [FIELD.STRING, (name, field, entry) => `${name}: ${left(keyText(entry, field), 50)}`],
];

function stackText({ offset, size }: HistField, entry: MapEntry, symbolOffset: HistNamesOf['symbolOffset']): string {
  let text = '';
  for (let at = offset; at < offset + size; at += 8) {
    const address = keyNumber(entry, at);
    if (address === 0n) break;
    text += `${' '.repeat(9)}${symbolOffset(address)}\n`;
  }
  return text;
}

function keyOf(field: HistField, entry: MapEntry, names: HistNamesOf): string {
  const name = fieldName(field);
  const [, print] = PRINT_KEY.find(([flag]) => has(field, flag)) ?? [];
  return print === undefined ? `${name}: ${right(keyNumber(entry, field.offset), 10)}` : print(name, field, entry, names);
}

function keysOf({ keys }: HistData, entry: MapEntry, names: HistNamesOf): string {
  const texts = keys.map((field) => keyOf(field, entry, names));
  const end = keys.some((field) => has(field, FIELD.STACKTRACE)) ? '}' : ' }';
  return `{ ${texts.join(', ')}${end}`;
}

/** The greatest and the sum of a value, over all entries. */
interface ValueStats {
  readonly max: bigint;
  readonly total: bigint;
}

const U64_MAX = 2n ** 64n - 1n;
const BAR_WIDTH = 20;

/** Hundredths of a per cent; undefined where there is nothing to divide by (__get_percentage). */
function percentage(value: bigint, total: bigint): number | undefined {
  if (total === 0n) return value === 0n ? 0 : undefined;
  if (value < U64_MAX / 10000n) return Number(BigInt.asUintN(32, (value * 10000n) / total));
  const part = total / 10000n;
  return part === 0n ? undefined : Number(BigInt.asUintN(32, value / part));
}

function bar(value: bigint, max: bigint): string {
  const part = percentage(value, max);
  if (part === undefined) return '[ERROR]';
  return '#'.repeat(Math.min(BAR_WIDTH, Math.floor((part * BAR_WIDTH) / 10000))).padEnd(BAR_WIDTH);
}

/** hist_trigger_print_val */
function valueText(name: string, flags: number, value: bigint, { max, total }: ValueStats): string {
  if ((flags & FIELD.PERCENT) !== 0) {
    const part = percentage(value, total);
    if (part === undefined) return ` ${name} (%):[ERROR]`;
    return ` ${name} (%): ${right(Math.floor(part / 100), 3)}.${String(part % 100).padStart(2, '0')}`;
  }
  if ((flags & FIELD.GRAPH) !== 0) return ` ${name}: ${bar(value, max).padStart(BAR_WIDTH)}`;
  return ` ${name}: ${right((flags & FIELD.HEX) === 0 ? value : hex(value), 10)}`;
}

const decimal = (value: Long): string => right(unsigned(value), 10);
const TRACKED = { onmax: 'max', onchange: 'changed', onmatch: '' } as const;

/** What onmax and onchange have saved in an entry (track_data_print). */
function trackedText({ saved }: HistData, { handler, kind, track }: HistAction, entry: MapEntry): string {
  if (track === undefined || kind === 'snapshot') return '';
  let texts = 0;
  const values = saved.map(({ variable, value }) => {
    const kept = isText(value) ? entry.text(texts++) : undefined;
    const shown = entry.isSet(variable.varIndex) ? kept : '(null)';
    const text = kept === undefined ? decimal(entry.variable(variable.varIndex)) : left(shown ?? '', 32);
    return `  ${variable.varName}: ${text}`;
  });
  return `\n\t${TRACKED[handler]}: ${decimal(entry.variable(track.varIndex))}${values.join('')}`;
}

function statsOf(index: number, entries: readonly MapEntry[]): ValueStats {
  const sums = entries.map((entry) => entry.sum(index));
  const max = sums.reduce((most, sum) => (sum > most ? sum : most), 0n);
  return {
    max,
    total: BigInt.asUintN(
      64,
      sums.reduce((total, sum) => total + sum, 0n),
    ),
  };
}

function entriesOf(data: HistData, entries: readonly MapEntry[], names: HistNamesOf): string {
  const shown = data.values.filter((field) => !has(field, FIELD.VAR));
  const stats = shown.map((field, i) => (has(field, FIELD.PERCENT | FIELD.GRAPH) ? statsOf(i, entries) : { max: 0n, total: 0n }));
  const values = (entry: MapEntry): string =>
    shown
      .map((field, i) => {
        if (i === 0) return data.attributes.noHitcount ? '' : valueText('hitcount', 0, entry.sum(0), stats[0]!);
        return has(field, FIELD.EXPR) ? '' : ` ${valueText(fieldName(field), field.flags, entry.sum(i), stats[i]!)}`;
      })
      .join('');
  const tracked = (entry: MapEntry): string => data.actions.map((action) => trackedText(data, action, entry)).join('');
  return entries.map((entry) => `${keysOf(data, entry, names)}${values(entry)}${tracked(entry)}\n`).join('');
}

/** What snapshot() noted of the event that triggered it (track_data_snapshot_print). */
function snapshotText(data: HistData, view: ReturnType<typeof readMap>, names: HistNamesOf): string {
  const action = data.actions.find(({ kind }) => kind === 'snapshot');
  if (action === undefined || view.snapshot === undefined) return '';
  const { value, key, comm } = view.snapshot;
  const entry: MapEntry = { key, comm, sum: () => 0n, variable: () => 0, isSet: () => false, text: () => '' };
  return (
    '\nSnapshot taken (see tracing/snapshot).  Details:\n' +
    `\ttriggering value { ${action.handler}(${action.variable}) }: ${decimal(value)}` +
    `\ttriggered by event with key: ${keysOf(data, entry, names)}\n`
  );
}

function tableOf(trigger: HistTrigger, names: HistNamesOf): string {
  const { data, map } = trigger;
  const view = readMap(map);
  const entries = sortedEntries(data, view.entries);
  const hits = entries.reduce((sum, entry) => sum + entry.sum(0), 0n);
  return (
    `# event histogram\n#\n# trigger info: ${listedTrigger(trigger)}\n#\n\n` +
    entriesOf(data, entries, names) +
    snapshotText(data, view, names) +
    `\nTotals:\n    Hits: ${hits}\n    Entries: ${entries.length}\n    Dropped: ${view.drops}\n`
  );
}

/** The text of an event's `hist` file: a table for each of its hist triggers (hist_show). */
export const printHist = (triggers: readonly HistTrigger[], names: HistNamesOf): string =>
  triggers.map((trigger) => tableOf(trigger, names)).join('\n\n');
