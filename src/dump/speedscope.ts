import { VERSION } from '../base/version.js';
import type { Call, CallVisitor, Leave, Track, VisitedCall } from '../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import { TextOut } from '../output/trace-dat/calls/text-out.js';
import type { WalkedCalls } from '../output/trace-dat/calls/walk-calls.js';
import type { Dump, DumpedRecording } from './dumped-recording.js';

/** Bytes of threads that are kept while another one is written. What does not fit is left to the next walk over the recording. */
const MOST_KEPT = 1 << 25;
/** Characters that become bytes at once. */
const PIECE = 1 << 16;
const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';

/** The events of one thread: each opens a frame or closes it. */
interface Profile {
  readonly name: string;
  /** Absent for the thread that is written at once. */
  readonly pieces: Buffer[] | undefined;
  /** What is no piece yet. */
  text: string;
  length: number;
  count: number;
  first: number;
  last: number;
}

/**
 * Writes the profile of one thread, and keeps those of others as far as they fit: threads take turns in a recording, and stand
 * one after the other in the file.
 */
class SpeedscopeWalk implements CallVisitor<undefined> {
  readonly #out: TextOut;
  readonly #frames: Frames;
  /** By the track's index: the threads that were written by an earlier walk, or are left to a later one. */
  readonly #isWritten: readonly boolean[];
  readonly #profiles: (Profile | undefined)[] = [];
  #written: Profile | undefined;
  #kept = 0;
  /** The threads that did not fit. */
  readonly #left = new Set<number>();

  constructor(out: TextOut, frames: Frames, isWritten: readonly boolean[]) {
    this.#out = out;
    this.#frames = frames;
    this.#isWritten = isWritten;
  }

  get isDone(): boolean {
    return this.#out.isClosed;
  }

  begin({ func, track, start }: Call): undefined {
    this.#event(track, 'O', func, start);
  }

  end({ func, track, start }: VisitedCall<undefined>, { duration }: Leave): void {
    this.#event(track, 'C', func, start + duration);
  }

  unfinished({ func, track }: VisitedCall<undefined>, end: number): void {
    this.#event(track, 'C', func, end);
  }

  /** Writes what was kept; returns the indices of the threads that are in the file now. */
  finish(): readonly number[] {
    const done: number[] = [];
    // The one that was written at once stands open.
    for (const [index, profile] of this.#profiles.entries()) {
      if (profile === undefined || profile.pieces !== undefined) continue;
      this.#close(profile);
      done.push(index);
    }
    for (const [index, profile] of this.#profiles.entries()) {
      if (profile?.pieces === undefined || this.#left.has(index)) continue;
      this.#open(profile.name);
      for (const piece of profile.pieces) this.#out.write(piece.toString());
      this.#out.write(profile.text);
      this.#close(profile);
      done.push(index);
    }
    return done;
  }

  /** Whether another walk is needed. */
  get isIncomplete(): boolean {
    return this.#left.size > 0;
  }

  #event(track: Track, type: 'O' | 'C', func: CalledFunction, at: number): void {
    const { index } = track;
    if (this.#isWritten[index] || this.#left.has(index)) return;
    const profile = (this.#profiles[index] ??= this.#begin(track, at));
    profile.last = Math.max(profile.last, at);
    const text = `${profile.count++ === 0 ? '' : ','}\n{"type":"${type}","frame":${this.#frames.numberOf(func)},"at":${at}}`;
    if (profile.pieces === undefined) {
      this.#out.write(text);
      return;
    }
    profile.text += text;
    if (profile.text.length < PIECE) return;
    profile.pieces.push(Buffer.from(profile.text));
    profile.length += profile.text.length;
    this.#kept += profile.text.length;
    profile.text = '';
    if (this.#kept > MOST_KEPT) this.#leaveLargest();
  }

  #begin({ name, process, tid, instance }: Track, first: number): Profile {
    const thread = name === process.name ? name : `${process.name}: ${name}`;
    const title = `${thread} (${process.pid === tid ? tid : `${process.pid}/${tid}`})${instance === '' ? '' : `, instance ${instance}`}`;
    const isFirst = this.#written === undefined;
    const profile = { name: title, pieces: isFirst ? undefined : [], text: '', length: 0, count: 0, first, last: first };
    if (isFirst) {
      this.#written = profile;
      this.#open(title);
    }
    return profile;
  }

  #leaveLargest(): void {
    let largest = -1;
    for (const [index, profile] of this.#profiles.entries()) {
      if (profile?.pieces !== undefined && (largest < 0 || profile.length > this.#profiles[largest]!.length)) largest = index;
    }
    const profile = this.#profiles[largest]!;
    this.#kept -= profile.length;
    this.#profiles[largest] = undefined;
    this.#left.add(largest);
  }

  #open(name: string): void {
    const separator = this.#frames.profiles++ === 0 ? '' : ',';
    this.#out.write(`${separator}\n{"type":"evented","name":${JSON.stringify(name)},"unit":"nanoseconds","events":[`);
  }

  #close({ first, last }: Profile): void {
    this.#out.write(`\n],"startValue":${first},"endValue":${last}}`);
  }
}

/** The frames that profiles name by numbers. */
class Frames {
  /** By the function's index. */
  readonly #numbers: number[] = [];
  readonly #frames: string[] = [];
  /** How many profiles were begun. */
  profiles = 0;

  numberOf(func: CalledFunction): number {
    const known = this.#numbers[func.index];
    if (known !== undefined) return known;
    const { name, place, where } = func;
    const file = place === undefined ? '' : where.replace(/:\d+$/, '');
    const frame = { name, ...(place && { file, line: place.line }), ...(place && place.column > 0 && { col: place.column }) };
    const number = this.#frames.push(JSON.stringify(frame)) - 1;
    this.#numbers[func.index] = number;
    return number;
  }

  text(): string {
    return this.#frames.join(',\n');
  }
}

function walkAll(recording: DumpedRecording, out: TextOut, frames: Frames): WalkedCalls {
  const isWritten: boolean[] = [];
  for (;;) {
    const walk = new SpeedscopeWalk(out, frames, isWritten);
    const walked = recording.walk(walk);
    for (const index of walk.finish()) isWritten[index] = true;
    if (!walk.isIncomplete || out.isClosed) return walked;
  }
}

/** `--speedscope`: speedscope's evented format, a profile for each thread. */
export const dump: Dump = (recording, output) => {
  const out = new TextOut(output);
  const frames = new Frames();
  out.write(`{"$schema":"${SCHEMA}","exporter":"fentry@${VERSION}","profiles":[`);
  const { warnings } = walkAll(recording, out, frames);
  out.write(`\n],"shared":{"frames":[\n${frames.text()}\n]}}\n`);
  out.flush();
  return warnings;
};
