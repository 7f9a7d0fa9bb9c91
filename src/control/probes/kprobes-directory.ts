import { compareAddresses, hexAddress } from '../../base/address.js';
import { TRACING_MARK_WRITE } from '../../ftrace/symbols.js';
import type { TracedThreads } from '../../port/port.js';
import type { ListedPlace } from '../../probes/parse-listed-place.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';
import { O_RDONLY, type TraceDirectory, type TraceFile } from '../tracefs/node.js';
import { parseBoolean } from '../tracefs/parse-boolean.js';
import { directory } from '../tracefs/path.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import type { BlacklistedText, ListedKprobe, ProbeWay } from './listed-kprobe.js';
import type { PlaceVariables, ProbeSource, SourceLines } from './probe-source.js';
import type { ProbeTable } from './probe-table.js';
import type { ProgramKprobes } from './program-kprobes.js';

/** What is needed of the process. */
export interface KprobeListNeeds {
  readonly table: TextTable;
  readonly tracer: ProcessTracer;
  readonly probes: ProbeTable;
  readonly programKprobes: ProgramKprobes;
  readonly threads: TracedThreads;
  obeyed(): Promise<void>;
}

/**
 * The probes of functions in the whole process, those of probe events and those that the program has registered: the files list,
 * enabled and blacklist of kprobes/, which debugfs has in the kernel.
 */
export class KprobeList {
  readonly #process: KprobeListNeeds;

  constructor(process: KprobeListNeeds) {
    this.#process = process;
  }

  /** Whether any is armed: kprobes/enabled. */
  get areArmed(): boolean {
    return this.#process.tracer.areKprobesArmed;
  }

  async setArmed(areArmed: boolean): Promise<void> {
    const { tracer, threads } = this.#process;
    if (areArmed === tracer.areKprobesArmed) return;
    for (const thread of threads.living) thread.post({ type: 'halt kprobes', isHalted: !areArmed });
    tracer.armKprobes(areArmed);
    await this.#process.obeyed();
  }

  /** In the order of their addresses. */
  async all(): Promise<readonly ListedKprobe[]> {
    const { probes, programKprobes } = this.#process;
    const all = [...(await probes.kprobes()), ...programKprobes.list()];
    return all.sort((a, b) => compareAddresses(a.address, b.address));
  }

  /** Functions without a site, and fentry's own text. */
  *blacklist(): Generator<BlacklistedText> {
    const { table, tracer } = this.#process;
    const { address, size, name, module } = TRACING_MARK_WRITE;
    yield { start: address, end: address + size, name, module };
    tracer.decode();
    for (const n of table.numbers()) {
      const { start, end, reason } = table.function(n);
      if (reason === undefined) continue;
      yield { start: table.address(n), end: table.address(n) + end - start, name: table.name(n), module: table.module(n) };
    }
  }
}

/** `<sum@/app/shop.js:0>`, then the lines with the numbers of those on which a probe can stand, as perf probe -L prints them. */
function linesText({ symbol, file, first, lines }: SourceLines): string {
  const head = symbol === undefined ? `<${file}:${first}>` : `<${symbol}@${file}:${first}>`;
  const rows = lines.map(({ text, isPlace }, i) => `${isPlace ? String(first + i).padStart(7) : ' '.repeat(7)}  ${text}`);
  return `${[head, ...rows].join('\n')}\n`;
}

/**
 * `ADDRESS SYMBOL+OFFSET FILE:LINE`, then a line for each name: how it is declared, a tab, the name; where variables have types a
 * tab, its type.
 */
function variablesText({ address, symbol, offset, file, line, variables }: PlaceVariables): string {
  const rows = variables.map(({ name, kind, type }) => `\t${kind}\t${name}${type === undefined ? '' : `\t${type}`}`);
  return `${[`${hexAddress(address)} ${symbol}+0x${offset.toString(16)} ${file}:${line}`, ...rows].join('\n')}\n`;
}

/** In the name of a file, `!` takes the place of `/`, as in sysfs. */
const placeOfName = (name: string): string => name.replaceAll('!', '/');

/** A directory in which each place has a file by its name. It lists none of them, because they are more than anyone reads. */
const placesDirectory = (source: ProbeSource, show: (place: ListedPlace) => Promise<string>): TraceDirectory => ({
  kind: 'directory',
  mode: 0o750,
  names: () => [],
  subdirectories: () => 0,
  get(name) {
    const place = source.place(placeOfName(name));
    return place && shown(() => show(place));
  },
});

/** A file whose text is asked for when it is opened. */
const shown = (text: () => Promise<string>): TraceFile => ({
  kind: 'file',
  mode: 0o440,
  async open(flags, caller) {
    const content = flags.read ? await text() : '';
    return readOnly(() => content).open(flags.read ? O_RDONLY : flags, caller);
  },
});

/** The kernel's flags: a patch site is its ftrace site, the site of a statement its jump, a breakpoint its INT3. */
const FLAGS: Readonly<Record<ProbeWay, string>> = {
  site: '[FTRACE]',
  statement: '[OPTIMIZED]',
  jump: '[OPTIMIZED]',
  breakpoint: '',
};

/** `ADDRESS  k  SYMBOL+0xOFFSET  MODULE FLAGS` (report_probe in kernel/kprobes.c). */
function listLine({ address, kind, symbol, offset, module, isEnabled, way }: ListedKprobe): string {
  const flags = `${isEnabled ? '' : '[DISABLED]'}${FLAGS[way]}`;
  return `${hexAddress(address)}  ${kind}  ${symbol}+0x${offset.toString(16)}  ${module === '' ? ' ' : module} ${flags}\n`;
}

/** (kprobe_blacklist_seq_show) */
const blacklistLine = ({ start, end, name, module }: BlacklistedText): string =>
  `0x${hexAddress(start)}-0x${hexAddress(end)}\t${name}${module === '' ? '' : ` [${module}]`}\n`;

/** The files that debugfs has in the kernel (debugfs_kprobe_init in kernel/kprobes.c). */
const kprobeFiles = (kprobes: KprobeList): Readonly<Record<string, TraceFile>> => ({
  blacklist: readOnly(() => Array.from(kprobes.blacklist(), blacklistLine).join('')),
  enabled: textFile({
    mode: 0o600,
    show: () => `${kprobes.areArmed ? 1 : 0}\n`,
    store: (text) => kprobes.setArmed(parseBoolean(text)),
  }),
  list: shown(async () => (await kprobes.all()).map(listLine).join('')),
});

/** kprobes/lines and kprobes/vars: what perf probe -L and -V read of an executable's debugging information. */
const probeSourceFiles = (source: ProbeSource): Readonly<Record<string, TraceDirectory>> => ({
  lines: placesDirectory(source, async (place) => linesText(await source.lines(place))),
  vars: placesDirectory(source, async (place) => variablesText(await source.variables(place))),
});

/** kprobes/ */
export const kprobesDirectory = (kprobes: KprobeList, source: ProbeSource): TraceDirectory =>
  directory({ ...kprobeFiles(kprobes), ...probeSourceFiles(source) });
