import { existsSync, readdirSync, readFileSync, statSync, truncateSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { processExists } from '../base/socket-directory.js';
import { programOf } from '../client/program.js';
import { partPath, slotName, slotsIn } from '../recording/part-files.js';
import { type SegmentFile, segmentFiles } from '../recording/segment-files.js';
import {
  type CollectorState,
  LINE_FILES,
  type LineFile,
  type ProcessPosition,
  type ProcessState,
  readState,
  writeState,
} from './collector-state.js';
import { lineRows } from './line-rows.js';
import { OwnTimes } from './own-times.js';
import { type AddRow, RecordRows } from './record-rows.js';
import { type Batch, type Cell, RowGroups, type RowSink } from './rows.js';
import { endOf, piecesOf, readPiece } from './spool-position.js';

/** Bytes of records in a batch at most: some 100,000 rows. */
const BATCH_BYTES = 4 << 20;
/** Microseconds that the clock of records may be off the time of day before that is told to rows: clocks are adjusted. */
const MOST_DRIFT = 5_000;
/** A file of lines that was read is emptied when it is so large. */
const EMPTY_LINES = 1 << 16;

/** What a collector puts into every row, and where it reads. */
export interface CollectorOptions {
  /** The folder that the processes record into. */
  readonly folder: string;
  /** The service of all processes; absent: each one's program. */
  readonly service?: string | undefined;
  readonly release?: string | undefined;
  readonly host?: string;
  /** Has a process that still runs write the names again that records need. */
  readonly refresh?: (pid: number) => Promise<void>;
  /** Whether more of a process may come; absent: as long as it runs. */
  readonly isRecorded?: (pid: number) => boolean;
}

/** What the collector has done. */
export interface Collected {
  readonly batches: number;
  readonly rows: number;
  readonly lost: number;
}

/** Microseconds since 1970 at the zero of CLOCK_MONOTONIC, which records have. */
const clockNow = (): number => timeOfDay() - Number(process.hrtime.bigint() / 1000n);
/** Microseconds since 1970. */
const timeOfDay = (): number => Date.now() * 1000;

/** A process whose records are read. */
interface Source {
  readonly slot: number;
  readonly pid: number;
  readonly service: string;
  readonly program: string;
  /** Whether it is npm or another one that starts the application: it has no rows. */
  readonly isManager: boolean;
  readonly rows: RecordRows;
}

/**
 * Makes rows of what processes have recorded into a folder, and stores them batch by batch. Where it is killed, the next one goes
 * on: a batch is decided on and written down before it is stored, and what it was made of is removed afterwards.
 */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #sink: RowSink;
  readonly #host: string;
  readonly #isRecorded: (pid: number) => boolean;
  readonly #sources = new Map<number, Source>();
  #state: CollectorState;
  /** The pending batch, while the sink does not take it. */
  #made: { readonly batch: Batch; readonly processes: Readonly<Record<string, ProcessState>> } | undefined;
  #batches = 0;
  #rows = 0;
  #lost = 0;

  /** @param run the name of its batches if the folder is new */
  constructor(options: CollectorOptions, sink: RowSink, run: string) {
    this.#options = options;
    this.#sink = sink;
    this.#host = options.host ?? hostname();
    const known = readState(options.folder);
    const isRecorded = options.isRecorded ?? processExists;
    this.#isRecorded = isRecorded;
    this.#state = known ?? { version: 1, run, batch: 1, clock: clockNow(), processes: {} };
    this.#save(this.#withoutEmptied());
  }

  get collected(): Collected {
    return { batches: this.#batches, rows: this.#rows, lost: this.#lost };
  }

  /** Whether all processes have ended, and all that they recorded was stored. */
  get isOver(): boolean {
    const slots = slotsIn(readdirSync(this.#options.folder));
    return this.#state.pending === undefined && slots.every((slot) => this.#state.processes[slot]?.isOver);
  }

  /**
   * Stores the next batch. Returns the bytes of records in it, 0 if there was nothing. Rejects if the sink does not take it: then
   * the same batch comes again with the next call.
   * @param signal aborts what the sink does not answer
   */
  async step(signal?: AbortSignal): Promise<number> {
    this.#decide();
    const { pending } = this.#state;
    if (pending === undefined) return 0;
    this.#made ??= await this.#make(pending);
    const { batch, processes } = this.#made;
    if (batch.groups.length > 0) await this.#sink.store(batch, signal);
    const { pending: _done, ...state } = this.#state;
    this.#made = undefined;
    this.#save({ ...state, batch: state.batch + 1, processes: { ...state.processes, ...processes } });
    this.#removeRead();
    this.#batches++;
    for (const { rows, table } of batch.groups) {
      if (table !== 'lost') this.#rows += rows.length;
      else for (const row of rows) this.#lost += Number(row[LOST_EVENTS] ?? 0);
    }
    return this.#bytesBetween(state.processes, pending);
  }

  #save(state: CollectorState): void {
    writeState(this.#options.folder, state);
    this.#state = state;
  }

  /** Writes down what the next batch has, if there is anything. */
  #decide(): void {
    if (this.#state.pending !== undefined) return;
    const { folder } = this.#options;
    const files = segmentFiles(folder);
    const pending: Record<string, ProcessPosition> = {};
    let left = BATCH_BYTES;
    for (const slot of slotsIn(readdirSync(folder))) {
      const known = this.#state.processes[slot];
      if (known?.isOver) continue;
      const pid = known?.pid ?? this.#sourceOf(slot).pid;
      // Asked first: what it records before it ends is there afterwards.
      const isRunning = this.#isRecorded(pid);
      const next = this.#next(pid, known, files, left);
      left -= next.bytes;
      if (next.bytes > 0 || next.lost > (known?.lost ?? 0) || (!isRunning && next.isAll))
        pending[slot] = { cpus: next.cpus, lines: next.lines, lost: next.lost };
    }
    if (Object.keys(pending).length === 0) return;
    const clock = clockNow();
    const isOff = Math.abs(clock - this.#state.clock) > MOST_DRIFT;
    this.#save({ ...this.#state, ...(isOff && { clock }), pending });
  }

  /** Up to where a process can be read now, at most so many bytes. */
  #next(pid: number, known: ProcessState | undefined, all: readonly SegmentFile[], most: number) {
    const own = all.filter((file) => file.pid === pid);
    const cpus: Record<string, { segment: number; offset: number }> = {};
    const lines: Partial<Record<LineFile, number>> = {};
    let bytes = 0;
    let isAll = true;
    for (const cpu of new Set(own.map((file) => file.cpu))) {
      const from = known?.cpus[cpu] ?? START;
      const files = own.filter((file) => file.cpu === cpu);
      const end = endOf(files, from, most - bytes);
      const read = bytesOf(files, from, end);
      bytes += read;
      cpus[cpu] = end;
      isAll &&= bytesOf(files, end, endOf(files, end, Number.MAX_SAFE_INTEGER)) === 0;
    }
    for (const file of LINE_FILES) {
      const from = known?.lines[file] ?? 0;
      const size = this.#linesSize(pid, file);
      lines[file] = size;
      bytes += size - from;
    }
    return { cpus, lines, bytes, isAll, lost: Math.max(this.#progressOf(pid).lost, known?.lost ?? 0) };
  }

  /** Makes the rows of the pending batch, and what is known of the processes afterwards. */
  async #make(pending: Readonly<Record<string, ProcessPosition>>) {
    const groups = new RowGroups(this.#host);
    const files = segmentFiles(this.#options.folder);
    const processes: Record<string, ProcessState> = {};
    for (const [slot, to] of Object.entries(pending)) {
      const source = this.#sourceOf(Number(slot));
      source.rows.refresh();
      let made = this.#read(source, to, files);
      if (source.rows.unknown > 0 && this.#options.refresh !== undefined && processExists(source.pid)) {
        await this.#options.refresh(source.pid);
        source.rows.refresh();
        made = this.#read(source, to, files);
      }
      if (!source.isManager) for (const [table, row] of made.rows) groups.add(table, source.service, row);
      processes[slot] = made.state;
    }
    const id = `${this.#state.run}-${String(this.#state.batch).padStart(6, '0')}`;
    return { batch: { id, groups: groups.all() }, processes };
  }

  #read({ slot, pid, program, rows: records }: Source, to: ProcessPosition, all: readonly SegmentFile[]) {
    const known = this.#state.processes[slot];
    const rows: [Parameters<AddRow>[0], Cell[]][] = [];
    const { release = '' } = this.#options;
    const addAt = (table: Parameters<AddRow>[0], time: number, thread: number | null, rest: readonly Cell[]): void => {
      rows.push([table, [time, pid, program, release, thread, ...rest]]);
    };
    const add: AddRow = (table, ns, thread, rest) => addAt(table, Math.round(ns / 1000) + this.#state.clock, thread, rest);
    const open: Record<string, ReturnType<OwnTimes['data']>> = {};
    let count = 0;
    let missed = known?.missed ?? 0;
    for (const [cpu, end] of Object.entries(to.cpus)) {
      const calls = new OwnTimes(known?.open[cpu]);
      const own = all.filter((file) => file.pid === pid && file.cpu === Number(cpu));
      for (const piece of piecesOf(own, known?.cpus[cpu] ?? START, end)) {
        if (piece.isBehindGap) calls.forget();
        const bytes = readPiece(piece);
        if (piece.isBehindGap || bytes.length < piece.to - piece.from) addAt('lost', timeOfDay(), Number(cpu), [null, 'size']);
        count += records.read(bytes, Number(cpu), calls, add);
        missed += records.missed;
      }
      open[cpu] = calls.data();
    }
    for (const file of LINE_FILES) {
      const path = linesPath(this.#options.folder, pid, file);
      const from = Math.min(known?.lines[file] ?? 0, to.lines[file] ?? 0);
      for (const [time, thread, rest] of lineRows(file, path, from, to.lines[file] ?? 0)) addAt(file, time, thread, rest);
    }
    const total = (known?.records ?? 0) + count;
    const isOver = !this.#isRecorded(pid) && this.#isAll(pid, to, all);
    // What it has counted when it was killed may be older than its last records.
    const lost = isOver ? Math.max(to.lost, missed, this.#progressOf(pid).lost) : to.lost;
    const lostNow = lost - (known?.lost ?? 0);
    if (lostNow > 0) addAt('lost', timeOfDay(), null, [lostNow, 'buffer']);
    const missing = isOver ? this.#progressOf(pid).events - total : 0;
    // What was taken out of its buffers and is not in its files was removed, as the space was full.
    if (isOver && missing > 0) addAt('lost', timeOfDay(), null, [missing, 'size']);
    const state: ProcessState = { pid, cpus: to.cpus, lines: to.lines, open, records: total, missed, lost, isOver };
    return { rows, state };
  }

  #isAll(pid: number, to: ProcessPosition, all: readonly SegmentFile[]): boolean {
    const own = all.filter((file) => file.pid === pid);
    return [...new Set(own.map(({ cpu }) => cpu))].every((cpu) => {
      const files = own.filter((file) => file.cpu === cpu);
      const from = to.cpus[cpu] ?? START;
      return bytesOf(files, from, endOf(files, from, Number.MAX_SAFE_INTEGER)) === 0;
    });
  }

  /** How many records the process, or who reads it, took out of its buffers, and how many found no room there. */
  #progressOf(pid: number): { readonly events: number; readonly lost: number } {
    try {
      return JSON.parse(readFileSync(partPath(this.#options.folder, pid, 'progress'), 'utf8'));
    } catch {
      // It was never written.
      return { events: 0, lost: 0 };
    }
  }

  #bytesBetween(from: Readonly<Record<string, ProcessState>>, to: Readonly<Record<string, ProcessPosition>>): number {
    // At least one: something was done.
    return Object.entries(to).reduce((sum, [slot, { cpus }]) => {
      const pieces = Object.entries(cpus).map(([cpu, end]) => {
        const start = from[slot]?.cpus[cpu] ?? START;
        return end.segment === start.segment ? end.offset - start.offset : end.offset;
      });
      return pieces.reduce((total, piece) => total + piece, sum);
    }, 1);
  }

  /** Removes segments that were read whole, and empties files of lines that were. */
  #removeRead(): void {
    const { folder } = this.#options;
    const files = segmentFiles(folder);
    for (const { pid, cpus, lines, isOver } of Object.values(this.#state.processes)) {
      for (const file of files) {
        if (file.pid !== pid) continue;
        const end = cpus[file.cpu] ?? START;
        if (file.segment < end.segment || (isOver && file.segment === end.segment)) removeQuietly(file.path);
      }
      for (const file of LINE_FILES) {
        const path = linesPath(folder, pid, file);
        const read = lines[file] ?? 0;
        if (read >= EMPTY_LINES && existsSync(path) && statSync(path).size === read) truncateSync(path);
      }
    }
    const state = this.#withoutEmptied();
    if (state !== this.#state) this.#save(state);
  }

  /** The state, with the beginning as the position of files of lines that were emptied. */
  #withoutEmptied(): CollectorState {
    if (this.#state.pending !== undefined) return this.#state;
    const emptied = Object.entries(this.#state.processes).flatMap(([slot, process]) => {
      const left = Object.entries(process.lines).filter(([file, read]) => read <= this.#linesSize(process.pid, file as LineFile));
      return left.length === Object.keys(process.lines).length ? [] : [[slot, { ...process, lines: Object.fromEntries(left) }]];
    });
    if (emptied.length === 0) return this.#state;
    return { ...this.#state, processes: { ...this.#state.processes, ...Object.fromEntries(emptied) } };
  }

  #linesSize(pid: number, file: LineFile): number {
    return statSync(linesPath(this.#options.folder, pid, file), { throwIfNoEntry: false })?.size ?? 0;
  }

  #sourceOf(slot: number): Source {
    let source = this.#sources.get(slot);
    if (source === undefined) {
      const { folder, service } = this.#options;
      const pid = Number(readFileSync(join(folder, slotName(slot)), 'utf8'));
      const command = partPath(folder, pid, 'command');
      const text = existsSync(command) ? readFileSync(command, 'utf8') : '';
      const { name, kind } = programOf(text.replace(/\0+$/, '').split('\0'), '/');
      const program = kind === 'own' ? basename(name) : name;
      const isManager = kind === 'manager';
      source = { slot, pid, program, isManager, service: service ?? program, rows: new RecordRows(folder, pid) };
      // A process writes its command line just after it has taken its number.
      if (text !== '') this.#sources.set(slot, source);
    }
    return source;
  }
}

const START = { segment: 0, offset: 0 } as const;
/** The cell of the table `lost` with the number. */
const LOST_EVENTS = 5;

/** The file of lines of a process. */
export const linesPath = (folder: string, pid: number, file: LineFile): string => join(folder, `${pid}.${file}`);

const bytesOf = (
  files: readonly SegmentFile[],
  from: typeof START | { segment: number; offset: number },
  to: { segment: number; offset: number },
): number => piecesOf(files, from, to).reduce((sum, piece) => sum + piece.to - piece.from, 0);

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // The process has removed it itself.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
