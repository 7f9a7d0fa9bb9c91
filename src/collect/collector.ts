import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { processExists } from '../base/socket-directory.js';
import { programOf } from '../client/program.js';
import { partPath, slotName, slotsIn } from '../recording/part-files.js';
import { type SegmentFile, segmentFilesIn } from '../recording/segment-files.js';
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
import { linesPath, ProcessFiles } from './process-files.js';
import { RecordRows } from './record-rows.js';
import { RowWriter } from './row-writer.js';
import { type Batch, RowGroups, type RowSink } from './rows.js';
import { readPiece } from './spool-position.js';
import { ThreadCalls, type ThreadCallsData } from './thread-calls.js';

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
  /** What the folder had when it was listed last, by pids. Empty: it is to be listed. */
  #segments: ReadonlyMap<number, readonly SegmentFile[]> = new Map();
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
    this.#save(this.#state);
    // The one before may have been killed just before it did so.
    this.#list();
    this.#removeRead(Object.keys(this.#state.processes));
  }

  get collected(): Collected {
    return { batches: this.#batches, rows: this.#rows, lost: this.#lost };
  }

  /** Whether all processes have ended, and all that they recorded was stored. */
  get isOver(): boolean {
    const slots = slotsIn(readdirSync(this.#options.folder));
    return this.#state.pending === undefined && slots.every((slot) => this.#state.processes[slot]?.isOver);
  }

  /** Whether all that ended processes have recorded was stored; others go on. */
  get hasEnded(): boolean {
    if (this.#state.pending !== undefined) return false;
    return this.#list().slots.every((slot) => {
      const { pid, files } = this.#sourceOf(slot);
      return this.#state.processes[slot]?.isOver === true || this.#isRecorded(pid, files);
    });
  }

  /** Bytes that are recorded and not stored. */
  get waiting(): number {
    const { segments, slots } = this.#list();
    return slots.reduce((sum, slot) => {
      const { pid, files } = this.#sourceOf(slot);
      const known = this.#state.processes[slot];
      return sum + (known?.isOver ? 0 : files.next(known, segments.get(pid) ?? [], Number.MAX_SAFE_INTEGER).bytes);
    }, 0);
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
    this.#removeRead(Object.keys(processes));
    this.#batches++;
    for (const { rows, table } of batch.groups) {
      if (table !== 'lost') this.#rows += rows.length;
      else for (const { events } of rows.rows()) this.#lost += Number(events ?? 0);
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
    const { segments, slots } = this.#list();
    // Each time another one is first: a busy process leaves room to the others.
    const first = this.#state.batch % Math.max(1, slots.length);
    const pending: Record<string, ProcessPosition> = {};
    let left = BATCH_BYTES;
    for (const slot of [...slots.slice(first), ...slots.slice(0, first)]) {
      const known = this.#state.processes[slot];
      if (known?.isOver) continue;
      const { files, pid } = this.#sourceOf(slot);
      const own = segments.get(pid) ?? [];
      // Asked first: what it records before it ends is there afterwards.
      const isRecorded = this.#isRecorded(pid, files);
      const { bytes, ...next } = files.next(known, own, left);
      left -= bytes;
      const isOver = !isRecorded && files.isAll(next, this.#list().segments.get(pid) ?? []);
      if (bytes > 0 || next.lost > (known?.lost ?? 0) || isOver) pending[slot] = next;
    }
    if (Object.keys(pending).length === 0) return;
    const clock = clockNow();
    const isOff = Math.abs(clock - this.#state.clock) > MOST_DRIFT;
    this.#save({ ...this.#state, ...(isOff && { clock }), pending });
  }

  /** Lists the folder: the segments by processes, and the numbers of these. */
  #list(): { readonly segments: ReadonlyMap<number, readonly SegmentFile[]>; readonly slots: readonly number[] } {
    const { folder } = this.#options;
    const names = readdirSync(folder);
    const segments = new Map<number, SegmentFile[]>();
    for (const file of segmentFilesIn(folder, names)) {
      const known = segments.get(file.pid);
      if (known === undefined) segments.set(file.pid, [file]);
      else known.push(file);
    }
    this.#segments = segments;
    return { segments, slots: slotsIn(names) };
  }

  #isRecorded(pid: number, files: ProcessFiles): boolean {
    return this.#options.isRecorded?.(pid) ?? files.isRecorded;
  }

  /** Makes the rows of the pending batch, and what is known of the processes afterwards. */
  async #make(pending: Readonly<Record<string, ProcessPosition>>): Promise<MadeBatch> {
    const groups = new RowGroups(this.#host);
    if (this.#segments.size === 0) this.#list();
    const processes: Record<string, ProcessState> = {};
    // At least one: something was done.
    let bytes = 1;
    for (const [slot, to] of Object.entries(pending)) {
      const source = this.#sourceOf(Number(slot));
      source.rows.refresh();
      const removeRows = groups.mark();
      let made = this.#read(source, to, groups);
      if (source.rows.unknown > 0 && this.#options.refresh !== undefined && processExists(source.pid)) {
        await this.#options.refresh(source.pid);
        source.rows.refresh();
        removeRows();
        made = this.#read(source, to, groups);
      }
      if (source.isManager) removeRows();
      processes[slot] = made.state;
      bytes += made.bytes;
    }
    const id = `${this.#state.run}-${String(this.#state.batch).padStart(6, '0')}`;
    return { batch: { id, groups: groups.all() }, processes, bytes };
  }

  #read({ slot, pid, service, program, files, rows: records }: Source, to: ProcessPosition, groups: RowGroups) {
    const known = this.#state.processes[slot];
    const { release = '' } = this.#options;
    const { clock } = this.#state;
    const rows = new RowWriter(groups, { service, pid, program, release, clock });
    const now = timeOfDay();
    const own = this.#segments.get(pid) ?? [];
    const open: Record<string, ThreadCallsData> = {};
    records.hasContexts = known?.hasContexts;
    let count = 0;
    let size = 0;
    let missed = known?.missed ?? 0;
    for (const [cpu, pieces] of files.pieces(known, to, own)) {
      const calls = new ThreadCalls(known?.open[cpu]);
      for (const piece of pieces) {
        if (piece.isBehindGap) calls.forget();
        const bytes = readPiece(piece);
        if (piece.isBehindGap || bytes.length < piece.to - piece.from) rows.lost(now, cpu, null, 'size');
        count += records.read(bytes, cpu, calls, rows, now);
        missed += records.missed;
        size += bytes.length;
      }
      open[cpu] = calls.data();
    }
    for (const file of LINE_FILES) {
      const path = linesPath(this.#options.folder, pid, file);
      const from = Math.min(known?.lines[file] ?? 0, to.lines[file] ?? 0);
      for (const [time, cells] of lineRows(file, path, from, to.lines[file] ?? 0)) rows.add(file, time, cells);
    }
    const total = (known?.records ?? 0) + count;
    const isOver = !this.#isRecorded(pid, files) && files.isAll(to, this.#list().segments.get(pid) ?? []);
    const counts = files.counts;
    // What it has counted when it was killed may be older than its last records.
    const lost = isOver ? Math.max(to.lost, missed, counts.lost) : to.lost;
    const lostNow = lost - (known?.lost ?? 0);
    if (lostNow > 0) rows.lost(now, null, lostNow, 'buffer');
    const missing = isOver ? counts.events - total : 0;
    // What was taken out of its buffers and is not in its files was removed, as the space was full.
    if (isOver && missing > 0) rows.lost(now, null, missing, 'size');
    const { hasContexts } = records;
    const state: ProcessState = {
      ...{ pid, cpus: to.cpus, lines: to.lines, open, records: total, missed, lost, isOver },
      ...(hasContexts !== undefined && { hasContexts }),
    };
    return { state, bytes: size };
  }

  #removeRead(read: readonly string[]): void {
    for (const slot of read) {
      const process = this.#state.processes[slot]!;
      this.#sourceOf(Number(slot)).files.removeRead(process, this.#segments.get(process.pid) ?? []);
    }
    this.#segments = new Map();
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
