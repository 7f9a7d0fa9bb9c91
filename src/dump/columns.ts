import type { Call, CallVisitor, Leave, Track, VisitedCall, VisitedEvent } from '../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import { CALL_FLAGS } from '../timeline/columns-format.js';
import { ColumnsWriter, type WrittenCall } from '../timeline/columns-writer.js';
import type { DumpedRecording } from './dumped-recording.js';

/** The kind of the calls that the function tracer records: they have no duration. */
const HIT = { system: 'ftrace', name: 'function' } as const;

type Writable = { -readonly [Name in keyof WrittenCall]: WrittenCall[Name] };

/** Writes what the page reads: calls, events, marks and losses, as the walk tells of them. */
class Columns implements CallVisitor<number> {
  readonly wantsTexts = true;
  readonly #writer: ColumnsWriter;
  /** The numbers of functions and tracks in the columns, by their index in the recording. */
  readonly #functionNumbers: number[] = [];
  readonly #trackNumbers: number[] = [];
  /** By track and function: how many of its calls are open. */
  readonly #open: number[][] = [];
  #functions = 0;
  #tracks = 0;
  /** Numbers of kinds of events, by `system:name`. */
  readonly #kinds = new Map<string, number>();
  readonly #hits: number[] = [];
  /** The files of the application's functions. */
  readonly ownFiles = new Set<string>();
  /** One object for all calls: a million of them took seconds. */
  readonly #call: Writable = {
    track: 0,
    func: 0,
    depth: 0,
    start: 0,
    duration: 0,
    inside: 0,
    call: 0,
    flags: 0,
    args: '',
    result: '',
  };

  constructor(writer: ColumnsWriter) {
    this.#writer = writer;
  }

  /** Returns the flags of the call that are known now. */
  begin({ func, track, isResumed }: Call): number {
    const open = (this.#open[track.index] ??= []);
    const count = open[func.index] ?? 0;
    open[func.index] = count + 1;
    return (isResumed ? CALL_FLAGS.resumed : 0) | (count > 0 ? CALL_FLAGS.inner : 0);
  }

  end({ func, track, depth, start, args, place }: VisitedCall<number>, leave: Leave): void {
    this.#open[track.index]![func.index]!--;
    const { duration, self, hidden = 0, call, isSuspended, value } = leave;
    const one = this.#call;
    one.track = this.#track(track);
    one.func = this.#function(func);
    one.depth = depth;
    one.start = start;
    one.duration = duration;
    one.inside = Math.max(0, duration - self - hidden);
    one.call = call;
    one.flags = isSuspended ? place | CALL_FLAGS.suspended : place;
    one.args = args;
    one.result = value;
    this.#writer.call(one);
  }

  unfinished({ func, track, depth, start, args, place }: VisitedCall<number>, end: number): void {
    this.#open[track.index]![func.index]!--;
    const duration = end - start;
    const one = this.#call;
    one.track = this.#track(track);
    one.func = this.#function(func);
    one.depth = depth;
    one.start = start;
    one.duration = duration;
    // The time of its callees is not known: only its duration is shown.
    one.inside = duration;
    one.call = duration;
    one.flags = place | CALL_FLAGS.unfinished;
    one.args = args;
    one.result = '';
    this.#writer.call(one);
  }

  hit(func: CalledFunction, { track, time, context }: VisitedEvent): void {
    const number = this.#function(func);
    this.#hits[number] = (this.#hits[number] ?? 0) + 1;
    this.#writer.instant(this.#track(track), this.#kind(HIT.system, HIT.name), time, context, func.name);
  }

  event(event: VisitedEvent): void {
    const { track, time, context, format } = event;
    this.#writer.instant(this.#track(track), this.#kind(format.system, format.name), time, context, event.text());
  }

  mark(track: Track, time: number, text: string): void {
    this.#writer.mark(this.#track(track), time, text);
  }

  lost(track: Track, time: number, count: number): void {
    this.#writer.loss(this.#track(track), time, count);
  }

  finish(application: string, warnings: readonly string[]): void {
    const hits = [...this.#hits.entries()].filter(([, count]) => count !== undefined);
    this.#writer.end({ application, warnings, hits });
  }

  #function(func: CalledFunction): number {
    const known = this.#functionNumbers[func.index];
    if (known !== undefined) return known;
    const { name, module, place, where, isOwn } = func;
    const number = this.#functions++;
    this.#functionNumbers[func.index] = number;
    if (isOwn && place !== undefined) this.ownFiles.add(place.file);
    this.#writer.defineFunction({ name, package: module, file: place?.file ?? '', line: place?.line ?? 0, where, isOwn });
    return number;
  }

  #track({ index, name, tid, process, instance }: Track): number {
    const known = this.#trackNumbers[index];
    if (known !== undefined) return known;
    const number = this.#tracks++;
    this.#trackNumbers[index] = number;
    const title = instance === '' ? name : `${name} (${instance})`;
    this.#writer.defineTrack({ name: title, tid, pid: process.pid, process: process.name });
    return number;
  }

  #kind(system: string, name: string): number {
    const key = `${system}:${name}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const number = this.#kinds.size;
    this.#kinds.set(key, number);
    this.#writer.defineInstant({ system, name });
    return number;
  }
}

/**
 * Writes a recording for the page.
 * @param name what the page calls it
 * @param write gets bytes that it must copy if it keeps them
 * @returns warnings for the user, which the page shows, too; and the files of the application's functions
 */
export function writeColumns(
  recording: DumpedRecording,
  name: string,
  write: (bytes: Uint8Array<ArrayBuffer>) => void,
): { readonly warnings: readonly string[]; readonly ownFiles: ReadonlySet<string> } {
  const columns = new Columns(new ColumnsWriter(write, { name }));
  const { application, warnings } = recording.walk(columns);
  columns.finish(application, warnings);
  return { warnings, ownFiles: columns.ownFiles };
}
