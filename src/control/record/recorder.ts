import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../answers/place.js';
import { type Imported, SymbolPlaceLines } from '../../answers/symbol-places.js';
import { compareAddresses } from '../../base/address.js';
import { makeFolder } from '../../base/make-folder.js';
import { withWallTime } from '../../base/wall-time.js';
import type { EventFormat } from '../../events/define.js';
import { EventRegistry } from '../../events/registry.js';
import { kallsymsLine, symbolParts, type TextSymbol } from '../../ftrace/symbols.js';
import { eventFormatText } from '../../output/trace-dat/event-formats-file.js';
import { rebasedAddress, rebasePage } from '../../output/trace-dat/rebase.js';
import { LastPages } from '../../recording/last-pages.js';
import { type Part, partName, partPath, slotName, statsOf } from '../../recording/part-files.js';
import { hasEnded, type ProcessIdentity } from '../../recording/process-identity.js';
import { type RecordingLimits, RecordingSpace } from '../../recording/recording-space.js';
import { SegmentWriter } from '../../recording/segment-writer.js';
import {
  DEFAULT_SUBBUF_BYTES,
  formatStats,
  type RingBufferReader,
  type TraceClock,
  traceClock,
} from '../../ring-buffer/index.js';
import type { ThreadBuffer } from '../trace-array/thread-buffer.js';
import { EndingSignals } from './ending-signals.js';

/**
 * In milliseconds: the interval between checks for full pages, if no writer reports one; the interval after which the last,
 * partly filled page of each thread is also written; the length of one wait for a writer's report.
 */
const FULL_PAGES = 50;
const PARTIAL_PAGES = 250;
const WAIT = 1000;
/** In percent of a buffer: the writer reports each page that it leaves. */
const ONE_PAGE = 1e-6;
/** Bytes written with one call; whole sub-buffers. */
const BATCH_BYTES = 1 << 20;

/** What a recorder needs of the process. */
export interface RecorderNeeds {
  cpus(): readonly ThreadBuffer[];
  /** Events that were first recorded since the last call. */
  newEvents(): readonly EventFormat[];
  /** Symbols that were linked since the last call. */
  newSymbols(): readonly TextSymbol[];
  /** Where a symbol is defined. */
  placeOf(symbol: TextSymbol): Place | undefined;
  /** How the module came whose code a symbol is; undefined: it is a function. */
  imported(symbol: TextSymbol): Imported | undefined;
  /** Modules that were handed on to be compiled since the last call, by the addresses of their code. */
  newCompiled(): readonly (readonly [address: number, imported: Imported])[];
  /** Where addresses of stacks are that were first recorded since the last call. */
  newStackPlaces(): readonly (readonly [address: number, place: Place])[];
  /** The application's folder. */
  readonly folder: string;
  comms(): Iterable<readonly [number, string]>;
  /** How many signals of a number the program's listeners were called for. */
  heardSignals(signal: number): number;
}

/** The folder and the name of a process's recording. */
export interface RecorderOptions {
  readonly folder: string;
  readonly pid: number;
  /** The process's number in the recording. */
  readonly slot: number;
  /** The clock of the records. */
  readonly clock: TraceClock;
  readonly limits: RecordingLimits;
  /** The process that makes the recording; undefined if there is none. */
  readonly recorder: ProcessIdentity | undefined;
  /** Called when that process has ended; pages are written until then, and `finish` writes the rest. */
  readonly abandoned: () => void;
  /** Called when the folder can no longer be written to; then recording ends. */
  readonly failed: (error: Error) => void;
}

/**
 * Writes the trace of this process to a folder while it runs, so that at most the incomplete pages are lost, however the
 * process ends: segments with the sub-buffers of each cpu, and its parts (recording/part-files.ts).
 */
export class Recorder {
  readonly #process: RecorderNeeds;
  readonly #folder: string;
  readonly #pid: number;
  readonly #space: RecordingSpace;
  readonly #slot: number;
  readonly #batch = new Uint8Array(BATCH_BYTES);
  readonly #cpus = new Map<number, SegmentWriter>();
  readonly #symbolsFd: number;
  readonly #placesFd: number;
  readonly #places = new SymbolPlaceLines();
  readonly #eventsFd: number;
  /** Addresses in records of all others are moved when the recording is made, as their ids are. */
  readonly #ftraceEvents = new EventRegistry();
  readonly #lastPages: LastPages;
  readonly #signals: EndingSignals;
  readonly #timer: NodeJS.Timeout;
  readonly #failed: (error: Error) => void;
  readonly #recorder: ProcessIdentity | undefined;
  readonly #abandoned: () => void;
  readonly #watched = new WeakSet<RingBufferReader>();
  #isStopped = false;
  #nextPartial = 0;

  constructor(process: RecorderNeeds, options: RecorderOptions) {
    const { folder, pid, slot, clock, limits, recorder, abandoned, failed } = options;
    this.#process = process;
    this.#failed = failed;
    this.#recorder = recorder;
    this.#abandoned = abandoned;
    this.#folder = folder;
    this.#pid = pid;
    this.#space = new RecordingSpace(folder, limits);
    this.#slot = slot;
    writeFileSync(partPath(folder, pid, 'command'), readFileSync('/proc/self/cmdline'), { mode: 0o600 });
    writeFileSync(partPath(folder, pid, 'clock'), clock, { mode: 0o600 });
    this.#symbolsFd = openSync(partPath(folder, pid, 'symbols'), 'a', 0o600);
    this.#placesFd = openSync(partPath(folder, pid, 'places'), 'a', 0o600);
    this.#space.write(this.#placesFd, Buffer.from(this.#places.folder(process.folder)));
    this.#eventsFd = openSync(partPath(folder, pid, 'events'), 'a', 0o600);
    this.#lastPages = new LastPages(folder, pid);
    this.#signals = new EndingSignals(
      (signal) => process.heardSignals(signal),
      () => this.#writeAll(),
    );
    this.#timer = setInterval(() => this.#tick(), FULL_PAGES);
    this.#timer.unref();
  }

  /** Writes everything that is left. */
  finish(): void {
    this.#stop();
    const buffers = this.#process.cpus();
    this.#write(buffers, false);
    this.#writeTables(buffers);
    for (const file of this.#cpus.values()) file.close();
    closeSync(this.#symbolsFd);
    closeSync(this.#placesFd);
    closeSync(this.#eventsFd);
    this.#lastPages.end();
  }

  #tick(): void {
    const now = performance.now();
    const areAsked = this.#lastPages.areAsked;
    const isPartial = areAsked || now >= this.#nextPartial;
    const buffers = this.#process.cpus();
    if (isPartial) {
      this.#nextPartial = now + PARTIAL_PAGES;
      this.#writeAll(buffers);
      if (areAsked) this.#attempt(() => this.#lastPages.answer());
    } else this.#attempt(() => this.#write(buffers, true));
    for (const buffer of buffers) for (const reader of buffer.readers) void this.#watch(buffer, reader);
    if (isPartial && !this.#isStopped && this.#recorder !== undefined && hasEnded(this.#recorder)) {
      this.#stop();
      this.#abandoned();
    }
  }

  /** Writes a cpu's pages as one of its writers fills them. */
  async #watch(buffer: ThreadBuffer, reader: RingBufferReader): Promise<void> {
    if (this.#watched.has(reader)) return;
    this.#watched.add(reader);
    reader.addWatermark(ONE_PAGE);
    while (!this.#isStopped && buffer.readers.includes(reader)) {
      await reader.nextWakeUp(WAIT);
      this.#attempt(() => this.#writeCpu(buffer, true));
    }
  }

  /** Writes all that was recorded until now. */
  #writeAll(buffers = this.#process.cpus()): void {
    this.#attempt(() => {
      this.#write(buffers, false);
      this.#writeTables(buffers);
    });
  }

  #attempt(write: () => void): void {
    if (this.#isStopped) return;
    try {
      write();
    } catch (error) {
      this.#stop();
      this.#failed(error as Error);
    }
  }

  #stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#signals.end();
  }

  #write(buffers: readonly ThreadBuffer[], full: boolean): void {
    for (const buffer of buffers) this.#writeCpu(buffer, full);
  }

  #writeCpu(buffer: ThreadBuffer, full: boolean): void {
    const { reader } = buffer;
    if (reader === undefined) return;
    const batch = this.#batch;
    let size = 0;
    const flush = () => {
      if (size === 0) return;
      const file = this.#fileOf(buffer.cpu);
      // Names first: a reader of a killed process's files must find them.
      this.#writeSymbols();
      this.#writeEvents();
      file.write(batch.subarray(0, size));
      size = 0;
    };
    // At most as many pages as the buffer has, each perhaps in two parts: otherwise a thread that writes as fast as this reads
    // would keep it here.
    for (let pages = 0; pages < 2 * (reader.nrPages + 1); pages++) {
      const page = batch.subarray(size, size + DEFAULT_SUBBUF_BYTES);
      if (!reader.readPage(page, full)) break;
      rebasePage(page, this.#slot, this.#ftraceEvents);
      size += page.length;
      if (size === batch.length) flush();
    }
    flush();
  }

  #fileOf(cpu: number): SegmentWriter {
    let file = this.#cpus.get(cpu);
    if (file === undefined) {
      file = new SegmentWriter(this.#folder, this.#space, this.#pid, cpu);
      this.#cpus.set(cpu, file);
    }
    return file;
  }

  #writeSymbols(): void {
    const symbols = [...this.#process.newSymbols()].sort((a, b) => compareAddresses(a.address, b.address));
    if (symbols.length === 0) return;
    let lines = '';
    for (const part of symbolParts(symbols)) {
      lines += kallsymsLine({ ...part, address: rebasedAddress(part.address, this.#slot) });
    }
    this.#space.write(this.#symbolsFd, Buffer.from(lines));
    this.#writePlaces(symbols);
  }

  #writePlaces(symbols: readonly TextSymbol[]): void {
    let lines = '';
    for (const symbol of symbols) {
      const place = this.#process.placeOf(symbol);
      const address = rebasedAddress(symbol.address, this.#slot);
      if (place !== undefined) lines += this.#places.symbol(address, place);
      const imported = this.#process.imported(symbol);
      if (imported !== undefined) lines += this.#places.module(address, imported);
    }
    this.#space.write(this.#placesFd, Buffer.from(lines));
  }

  #writeEvents(): void {
    const events = this.#process.newEvents();
    if (events.length > 0) this.#space.write(this.#eventsFd, Buffer.from(events.map(eventFormatText).join('')));
  }

  /** What is known of modules only after their symbols: those come first. */
  #writeCompiled(): void {
    const compiled = this.#process.newCompiled();
    if (compiled.length === 0) return;
    this.#writeSymbols();
    const lines = compiled.map(([address, imported]) => this.#places.loaded(rebasedAddress(address, this.#slot), imported));
    this.#space.write(this.#placesFd, Buffer.from(lines.join('')));
  }

  #writeStackPlaces(): void {
    const lines = this.#process
      .newStackPlaces()
      .map(([address, place]) => this.#places.inStack(rebasedAddress(address, this.#slot), place));
    if (lines.length > 0) this.#space.write(this.#placesFd, Buffer.from(lines.join('')));
  }

  #writeTables(buffers: readonly ThreadBuffer[]): void {
    this.#writeCompiled();
    this.#writeStackPlaces();
    const comms = [...this.#process.comms()].map(([pid, comm]) => `${pid} ${comm}\n`).join('');
    this.#replace('comms', comms);
    const progress = { events: 0, lost: 0, bytes: 0 };
    for (const buffer of buffers) {
      const stats = buffer.reader?.stats(traceClock());
      if (stats === undefined) continue;
      progress.events += stats.readEvents;
      progress.lost += stats.overrun + stats.droppedEvents + stats.commitOverrun;
      progress.bytes += this.#cpus.get(buffer.cpu)?.bytes ?? 0;
      if (this.#cpus.has(buffer.cpu)) this.#replace(statsOf(buffer.cpu), withWallTime(formatStats(stats)));
    }
    this.#replace('progress', JSON.stringify(progress));
  }

  #replace(part: Part, text: string): void {
    this.#space.replaceFile(partName(this.#pid, part), text);
  }
}

const MAX_PROCESSES = 65536;

/**
 * Takes the first number that no other process of the recording has, by creating the file `N.process` with the pid in it. The
 * process's addresses move by it (output/trace-dat/rebase.ts), so that those of several processes differ.
 */
export function takeRecordingSlot(folder: string, pid: number): number {
  makeFolder(folder);
  for (let slot = 0; slot < MAX_PROCESSES; slot++) {
    try {
      const fd = openSync(join(folder, slotName(slot)), 'wx', 0o600);
      writeSync(fd, String(pid));
      closeSync(fd);
      return slot;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${folder}: too many processes`);
}
