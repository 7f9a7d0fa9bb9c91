import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseAddress } from '../../src/base/address.js';
import { DEFAULT_OPTIONS, type OptionFlags } from '../../src/ftrace/options.js';
import { SymbolTable } from '../../src/ftrace/symbols.js';
import type { TracerName } from '../../src/ftrace/tracers/tracers.js';

/** A trace that the real kernel printed, and what it printed it from. */
export interface KernelTrace {
  readonly tracer: TracerName;
  /** The kernel's text for each set of options changed from the defaults. */
  readonly texts: readonly { readonly changed: string; readonly text: string }[];
  /** Sub-buffers of each cpu, as trace_pipe_raw gave them. */
  readonly pages: readonly (readonly Uint8Array[])[];
  readonly overruns: readonly number[];
  readonly entries: readonly number[];
  readonly comms: ReadonlyMap<number, string>;
  readonly symbols: SymbolTable;
}

const PAGE = 4096;
const golden = new URL('../../../test/parity/golden/', import.meta.url);

function sections(text: string): [title: string, body: string][] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]);
}

function pagesOf(base64: string): Uint8Array[] {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  return Array.from({ length: Math.ceil(bytes.length / PAGE) }, (_, i) => bytes.slice(i * PAGE, (i + 1) * PAGE));
}

/** kallsyms lines, each followed by the address at which the next symbol starts. */
function symbolsOf(text: string): SymbolTable {
  const table = new SymbolTable();
  const lines = text.trim().split('\n');
  for (const [i, line] of lines.entries()) {
    const [address = '', type, name] = line.split(/\s+/);
    if (type === undefined || name === undefined) continue;
    const next = lines[i + 1]?.split(/\s+/)[0] ?? address;
    const start = parseAddress(address);
    table.add([{ name, module: '', address: start, size: parseAddress(next) - start, params: [], type }]);
  }
  return table;
}

const statOf = (stats: string, name: string): number => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(stats)?.[1] ?? 0);

/** Reads what `traces/NAME.sh` recorded. */
export function kernelTrace(name: string): KernelTrace {
  const parts = sections(gunzipSync(readFileSync(new URL(`${name}.trace.gz`, golden))).toString('utf8'));
  const body = (title: string): string => parts.find(([found]) => found === title)?.[1] ?? '';
  const comms = body('cmdlines')
    .trim()
    .split('\n')
    .map((line): [number, string] => {
      const space = line.indexOf(' ');
      return [Number(line.slice(0, space)), line.slice(space + 1)];
    });
  const texts = parts
    .filter(([title]) => title.startsWith('trace '))
    .map(([title, text]) => ({ changed: title.slice('trace '.length).trim(), text }));
  return {
    tracer: /# tracer: (\w+)/.exec(texts[0]!.text)![1] as TracerName,
    texts,
    pages: ['0', '1'].map((cpu) => pagesOf(body(`pages ${cpu}`))),
    overruns: ['0', '1'].map((cpu) => statOf(body(`stats ${cpu}`), 'overrun')),
    entries: ['0', '1'].map((cpu) => statOf(body(`stats ${cpu}`), 'entries')),
    comms: new Map(comms),
    symbols: symbolsOf(body('kallsyms')),
  };
}

/** The default options with some changed: `name` sets one, `noname` clears it. */
export function optionsWith(changed: string): OptionFlags {
  const options: Record<string, boolean> = { ...DEFAULT_OPTIONS };
  for (const word of changed.split(' ').filter((text) => text !== '')) {
    if (word in options) options[word] = true;
    else options[word.slice(2)] = false;
  }
  return options as OptionFlags;
}
