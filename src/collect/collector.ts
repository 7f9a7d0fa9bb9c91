import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
import { linesPath, ProcessFiles } from './process-files.js';
import { type AddRow, RecordRows } from './record-rows.js';
import { type Batch, type Cell, RowGroups, type RowSink } from './rows.js';
import { readPiece } from './spool-position.js';

/** Bytes of records in a batch at most: some 100,000 rows. */
const BATCH_BYTES = 4 << 20;
/** Microseconds that the clock of records may be off the time of day before that is told to rows: clocks are adjusted. */
const MOST_DRIFT = 5_000;

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
  /** Whether more of a process may come; absent: as its files say. */
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

/** A batch, and what is known of its processes once it is stored. */
interface MadeBatch {
  readonly batch: Batch;
  readonly processes: Readonly<Record<string, ProcessState>>;
  /** Bytes of records in it, and one more. */
  readonly bytes: number;
}

/** A process whose records are read. */
interface Source {
  readonly slot: number;
  readonly pid: number;
  readonly service: string;
  readonly program: string;
  /** Whether it is npm or another one that starts the application: it has no rows. */
  readonly isManager: boolean;
  readonly files: ProcessFiles;
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
  readonly #sources = new Map<number, Source>();
  #state: CollectorState;
  /** The pending batch, while the sink does not take it. */
  #made: MadeBatch | undefined;
  #batches = 0;
  #rows = 0;
  #lost = 0;

  /** @param run the name of its batches if the folder is new */
  constructor(options: CollectorOptions, sink: RowSink, run: string) {
    this.#options = options;
    this.#sink = sink;
    this.#host = options.host ?? hostname();
    const known = readState(options.folder);
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
    const { batch, processes, bytes } = this.#made;
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
    return bytes;
  }

  #save(state: CollectorState): void {
    writeState(this.#options.folder, state);
    this.#state = state;
  }

  /** Writes down what the next batch has, if there is anything. */
  #decide(): void {
    if (this.#state.pending !== undefined) return;
    const { folder } = this.#options;
    const all = segmentFiles(folder);
    const slots = slotsIn(readdirSync(folder));
    // Each time another one is first: a busy process leaves room to the others.
    const first = this.#state.batch % Math.max(1, slots.length);
    const pending: Record<string, ProcessPosition> = {};
    let left = BATCH_BYTES;
    for (const slot of [...slots.slice(first), ...slots.slice(0, first)]) {
      const known = this.#state.processes[slot];
      if (known?.isOver) continue;
      const { files, pid } = this.#sourceOf(slot);
      // Asked first: what it records before it ends is there afterwards.
      const isRecorded = this.#isRecorded(pid, files);
      const { bytes, ...next } = files.next(known, all, left);
      left -= bytes;
      const isOver = !isRecorded && files.isAll(next, all);
      if (bytes > 0 || next.lost > (known?.lost ?? 0) || isOver) pending[slot] = next;
    }
    if (Object.keys(pending).length === 0) return;
    const clock = clockNow();
    const isOff = Math.abs(clock - this.#state.clock) > MOST_DRIFT;
    this.#save({ ...this.#state, ...(isOff && { clock }), pending });
  }

  #isRecorded(pid: number, files: ProcessFiles): boolean {
    return this.#options.isRecorded?.(pid) ?? files.isRecorded;
  }

  /** Makes the rows of the pending batch, and what is known of the processes afterwards. */
  async #make(pending: Readonly<Record<string, ProcessPosition>>): Promise<MadeBatch> {
    const groups = new RowGroups(this.#host);
    const all = segmentFiles(this.#options.folder);
    const processes: Record<string, ProcessState> = {};
    // At least one: something was done.
    let bytes = 1;
    for (const [slot, to] of Object.entries(pending)) {
      const source = this.#sourceOf(Number(slot));
      source.rows.refresh();
      let made = this.#read(source, to, all);
      if (source.rows.unknown > 0 && this.#options.refresh !== undefined && processExists(source.pid)) {
        await this.#options.refresh(source.pid);
        source.rows.refresh();
        made = this.#read(source, to, all);
      }
      if (!source.isManager) for (const [table, row] of made.rows) groups.add(table, source.service, row);
      processes[slot] = made.state;
      bytes += made.bytes;
    }
    const id = `${this.#state.run}-${String(this.#state.batch).padStart(6, '0')}`;
    return { batch: { id, groups: groups.all() }, processes, bytes };
  }

  #read({ slot, pid, program, files, rows: records }: Source, to: ProcessPosition, all: readonly SegmentFile[]) {
    const known = this.#state.processes[slot];
    const rows: [Parameters<AddRow>[0], Cell[]][] = [];
    const { release = '' } = this.#options;
    const addAt = (table: Parameters<AddRow>[0], time: number, thread: number | null, rest: readonly Cell[]): void => {
      rows.push([table, [time, pid, program, release, thread, ...rest]]);
    };
    const add: AddRow = (table, ns, thread, rest) => addAt(table, Math.round(ns / 1000) + this.#state.clock, thread, rest);
    const open: Record<string, ReturnType<OwnTimes['data']>> = {};
    let count = 0;
    let size = 0;
    let missed = known?.missed ?? 0;
    for (const [cpu, pieces] of files.pieces(known, to, all)) {
      const calls = new OwnTimes(known?.open[cpu]);
      for (const piece of pieces) {
        if (piece.isBehindGap) calls.forget();
        const bytes = readPiece(piece);
        if (piece.isBehindGap || bytes.length < piece.to - piece.from) addAt('lost', timeOfDay(), cpu, [null, 'size']);
        count += records.read(bytes, cpu, calls, add);
        missed += records.missed;
        size += bytes.length;
      }
      open[cpu] = calls.data();
    }
    for (const file of LINE_FILES) {
      const path = linesPath(this.#options.folder, pid, file);
      const from = Math.min(known?.lines[file] ?? 0, to.lines[file] ?? 0);
      for (const [time, thread, rest] of lineRows(file, path, from, to.lines[file] ?? 0)) addAt(file, time, thread, rest);
    }
    const total = (known?.records ?? 0) + count;
    const isOver = !this.#isRecorded(pid, files) && files.isAll(to, all);
    const counts = files.counts;
    // What it has counted when it was killed may be older than its last records.
    const lost = isOver ? Math.max(to.lost, missed, counts.lost) : to.lost;
    const lostNow = lost - (known?.lost ?? 0);
    if (lostNow > 0) addAt('lost', timeOfDay(), null, [lostNow, 'buffer']);
    const missing = isOver ? counts.events - total : 0;
    // What was taken out of its buffers and is not in its files was removed, as the space was full.
    if (isOver && missing > 0) addAt('lost', timeOfDay(), null, [missing, 'size']);
    const state: ProcessState = { pid, cpus: to.cpus, lines: to.lines, open, records: total, missed, lost, isOver };
    return { rows, state, bytes: size };
  }

  #removeRead(): void {
    const all = segmentFiles(this.#options.folder);
    for (const [slot, process] of Object.entries(this.#state.processes))
      this.#sourceOf(Number(slot)).files.removeRead(process, all);
    const state = this.#withoutEmptied();
    if (state !== this.#state) this.#save(state);
  }

  /** The state, with the beginning as the position of files of lines that were emptied. */
  #withoutEmptied(): CollectorState {
    if (this.#state.pending !== undefined) return this.#state;
    const emptied = Object.entries(this.#state.processes).flatMap(([slot, process]) => {
      const { files } = this.#sourceOf(Number(slot));
      const left = Object.entries(process.lines).filter(([file, read]) => read <= files.linesSize(file as LineFile));
      return left.length === Object.keys(process.lines).length ? [] : [[slot, { ...process, lines: Object.fromEntries(left) }]];
    });
    if (emptied.length === 0) return this.#state;
    return { ...this.#state, processes: { ...this.#state.processes, ...Object.fromEntries(emptied) } };
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
      const files = new ProcessFiles(folder, pid);
      source = { slot, pid, program, isManager, service: service ?? program, files, rows: new RecordRows(folder, pid) };
      // A process writes its command line just after it has taken its number.
      if (text !== '') this.#sources.set(slot, source);
    }
    return source;
  }
}

/** The cell of the table `lost` with the number. */
const LOST_EVENTS = 5;
