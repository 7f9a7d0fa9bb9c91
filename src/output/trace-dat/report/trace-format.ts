import { compareAddresses } from '../../../base/address.js';
import { highWord, lowWord } from '../../../base/words.js';
import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { DEFAULT_OPTIONS, type OptionFlags } from '../../../ftrace/options.js';
import { SymbolTable, type TextSymbol } from '../../../ftrace/symbols.js';
import { KERNEL } from '../../dialect.js';
import { traceHeader } from '../../header.js';
import { typeOf } from '../../record.js';
import { RecordMerge } from '../../record-merge.js';
import { storedText } from '../../stored-text.js';
import { type SymbolPlaceText, tableSymbols } from '../../symbol-printer.js';
import { TracePrinter } from '../../trace-printer.js';
import type { TraceView } from '../../trace-view.js';
import { OPTION } from '../format.js';
import { isFentrys } from '../is-fentrys.js';
import { originalName } from '../kallsyms-lines.js';
import { type OpenTraceDat, openTraceDat } from '../open.js';
import { OpenCursors } from '../open-cursors.js';
import { moduleAt, parseKallsyms } from '../parse-kallsyms.js';
import { RecordedPlaces } from '../recorded-places.js';
import type { RecordedBuffer } from '../trace-dat-file.js';
import { KallsymsTable } from './kallsyms-table.js';
import { printLines } from './lines.js';
import { parsePrintkFormats, RecordedEvents } from './recorded-events.js';
import type { ReportResult, ReportSink } from './report-options.js';

/** How the file `trace` would have printed the recording. */
export interface TraceFormatOptions {
  /** `--cpu`: only these CPUs. */
  readonly cpus?: ReadonlySet<number>;
  /** Trace options that differ from their defaults. */
  readonly options?: Partial<OptionFlags>;
}

const GRAPH_TYPES: ReadonlySet<number> = new Set([FTRACE_EVENTS.funcgraph_entry.id, FTRACE_EVENTS.funcgraph_exit.id]);

/** Clocks that do not count nanoseconds. */
const COUNTERS = /^(counter|x86-tsc)$/;

/** Prints a trace.dat as the file `trace` prints its buffers, header included. Errors and warnings are those of `report`. */
export function reportAsTrace(path: string, options: TraceFormatOptions, sink: ReportSink): ReportResult {
  const dat = openTraceDat(path);
  try {
    const [buffer] = dat.buffers;
    if (buffer === undefined) throw dat.file.error(undefined, 'holds no buffer of events');
    return print(dat, buffer, options, sink);
  } finally {
    dat.file.close();
  }
}

/** The counts in the header: it comes before the events, so they are read twice. */
function count(dat: OpenTraceDat, buffer: RecordedBuffer, cpus: ReadonlySet<number> | undefined) {
  let entries = 0;
  let lost = 0;
  let hasGraph = false;
  let start = Infinity;
  for (const cursor of new OpenCursors(dat, buffer, cpus, 0).cursors) {
    while (cursor.advance()) {
      entries++;
      if (cursor.ts < start) start = cursor.ts;
      if (cursor.lost > 0) lost += cursor.lost;
      hasGraph ||= GRAPH_TYPES.has(typeOf(cursor));
    }
  }
  return { entries, lost, hasGraph, start };
}

function print(dat: OpenTraceDat, buffer: RecordedBuffer, { cpus, options }: TraceFormatOptions, sink: ReportSink): ReportResult {
  const { entries, lost, hasGraph, start } = count(dat, buffer, cpus);
  const symbols = symbolTableOf(dat.kallsyms);
  const { placeText, frameText } = options?.places ? placeTexts(dat) : NO_PLACES;
  const view: TraceView = {
    dialect: KERNEL,
    tracer: hasGraph ? 'function_graph' : 'function',
    options: { ...DEFAULT_OPTIONS, ...options },
    symbols: tableSymbols(symbols, placeText),
    ...(frameText && { stackSymbols: tableSymbols(symbols, frameText) }),
    events: new RecordedEvents(dat.formats),
    hasAppended: isFentrys(dat),
    printkFormats: parsePrintkFormats(dat.printkFormats),
    comm: (pid) => dat.cmdlines.get(pid),
    tgid: () => undefined,
    cpus: buffer.cpus.length,
    clockInNs: !COUNTERS.test(buffer.clock),
    timeStart: start,
  };
  const open = new OpenCursors(dat, buffer, cpus, 0);
  const merge = new RecordMerge(open.cursors);
  const [uname] = dat.options.get(OPTION.UNAME) ?? [];
  const release = uname?.toString('utf8').split(' ')[1] ?? 'unknown';
  const head = traceHeader(
    view,
    { entries, written: entries + lost, isEmpty: entries === 0 },
    { release, latencyNs: 0, cpu: 0, pid: 0, uid: 0 },
  );
  printLines([{ merge, label: storedText('') }], new TracePrinter(view, { annotate: lost > 0 }), head, sink);
  return { events: entries, warnings: [...dat.warnings, ...open.warnings()] };
}

interface PlaceTexts {
  /** Where symbols are defined. */
  readonly placeText?: SymbolPlaceText;
  /** Where the frames of stacks are. */
  readonly frameText?: SymbolPlaceText;
}

const NO_PLACES: PlaceTexts = {};

function placeTexts(dat: OpenTraceDat): PlaceTexts {
  const places = new RecordedPlaces(dat);
  const table = new KallsymsTable(dat.kallsyms, true);
  const placeText: SymbolPlaceText = ({ address }) => {
    const symbol = table.find(highWord(address) | 0, lowWord(address) | 0);
    const place = symbol && table.placeOf(symbol, places);
    return place && places.text(place);
  };
  const frameText: SymbolPlaceText = (symbol, address) => {
    const place = places.inStack(address);
    return place === undefined ? placeText(symbol, address) : places.text(place);
  };
  return { placeText, frameText };
}

/** Sizes are not in kallsyms: a symbol reaches to the next one, and the last one of a text so far. */
const LAST_SIZE = 0x1000;
/** Symbols that lie farther apart belong to different texts. */
const FARTHEST = 2 ** 32;

/** The lines of kallsyms as the printers of `trace` want them. */
function symbolTableOf(kallsyms: Buffer): SymbolTable {
  const symbols: TextSymbol[] = [];
  parseKallsyms(kallsyms, (address, type, start, end) => {
    const name = originalName(kallsyms.toString('utf8', start, end));
    symbols.push({ name, module: moduleAt(kallsyms, start), address, size: 0, params: [], type: String.fromCharCode(type) });
  });
  symbols.sort((a, b) => compareAddresses(a.address, b.address));
  const table = new SymbolTable();
  table.add(symbols.map((symbol, i) => ({ ...symbol, size: sizeOf(symbol, symbols[i + 1]) })));
  return table;
}

function sizeOf({ address }: TextSymbol, next: TextSymbol | undefined): number {
  const size = (next?.address ?? address) - address;
  return size > 0 && size < FARTHEST ? size : LAST_SIZE;
}
