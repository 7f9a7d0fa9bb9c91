import { pathToFileURL } from 'node:url';
import { StackTree } from '../base/stack-tree.js';
import type { Call, CallVisitor, Leave, Track, VisitedCall } from '../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import { TextOut } from '../output/trace-dat/calls/text-out.js';
import type { Dump, DumpedRecording } from './dumped-recording.js';
import { trackTitle } from './selection.js';

/** Threads that the warning names. */
const MOST_TITLES = 16;
/**
 * What stands where no call runs. V8 has two names for that. DevTools takes a `(program)` between two calls of one function for
 * a sample that failed, and gives its time to the first.
 */
const IDLE = '(idle)';
/** The key of that node; functions have theirs behind it. */
const IDLE_KEY = 0;

/** A thread of the recording; its times are microseconds of the recording's clock. */
interface Thread {
  readonly track: Track;
  /** Nodes: below all, and where no call runs. */
  readonly root: number;
  readonly idle: number;
  changes: number;
  readonly first: number;
  last: number;
}

/** The stacks of all threads. */
class Stacks {
  readonly tree = new StackTree();
  /** By the tracks' indices. */
  readonly threads: (Thread | undefined)[] = [];
  /** By the functions' indices. */
  readonly functions: CalledFunction[] = [];

  threadOf(track: Track, now: number): Thread {
    const known = this.threads[track.index];
    if (known !== undefined) return known;
    const root = this.tree.addRoot(track.index);
    const idle = this.tree.above(root, IDLE_KEY);
    return (this.threads[track.index] = { track, root, idle, changes: 0, first: now, last: now });
  }

  /** The node of a call, above that of its caller. */
  called(func: CalledFunction, below: number): number {
    this.functions[func.index] = func;
    return this.tree.above(below, func.index + 1);
  }

  /** The node that runs when the call of a node has left the stack. */
  left(node: number, { root, idle }: Thread): number {
    const below = this.tree.parent(node);
    return below === root ? idle : below;
  }
}

/** Tells of each change of a stack: the node that runs from there on, and the time. */
class StackChanges implements CallVisitor<number> {
  readonly #stacks: Stacks;
  readonly #changed: (thread: Thread, node: number, now: number) => void;
  readonly #out: TextOut;
  readonly #only: Thread | undefined;

  /** @param only this thread when given */
  constructor(stacks: Stacks, out: TextOut, changed: (thread: Thread, node: number, now: number) => void, only?: Thread) {
    this.#stacks = stacks;
    this.#changed = changed;
    this.#out = out;
    this.#only = only;
  }

  get isDone(): boolean {
    return this.#out.isClosed;
  }

  begin({ func, track, start }: Call, caller: VisitedCall<number> | undefined): number {
    if (this.#isOther(track)) return 0;
    const now = microseconds(start);
    const thread = this.#stacks.threadOf(track, now);
    const node = this.#stacks.called(func, caller?.place ?? thread.root);
    this.#changed(thread, node, now);
    return node;
  }

  end(call: VisitedCall<number>, { duration }: Leave): void {
    this.unfinished(call, call.start + duration);
  }

  unfinished({ track, place }: VisitedCall<number>, end: number): void {
    if (this.#isOther(track)) return;
    const now = microseconds(end);
    const thread = this.#stacks.threadOf(track, now);
    this.#changed(thread, this.#stacks.left(place, thread), now);
  }

  #isOther({ index }: Track): boolean {
    return this.#only !== undefined && index !== this.#only.track.index;
  }
}

/** Times are rounded, not durations: the sums of these stay right. */
const microseconds = (nanoseconds: number): number => Math.round(nanoseconds / 1000);

/** The nodes of a profile as text. */
class Nodes {
  readonly #stacks: Stacks;
  /** By the functions' indices. */
  readonly #frames: string[] = [];
  /** V8's numbers of sources by their URLs; '0' is none. */
  readonly #scripts = new Map([['', '0']]);

  constructor(stacks: Stacks) {
    this.#stacks = stacks;
  }

  write(out: TextOut, { root }: Thread): void {
    const { tree } = this.#stacks;
    out.write(`\n${this.#text(root, callFrame('(root)'))}`);
    for (const node of tree.over(root)) {
      const key = tree.key(node);
      out.write(`,\n${this.#text(node, key === IDLE_KEY ? callFrame(IDLE) : this.#frame(key - 1))}`);
    }
  }

  #text(node: number, frame: string): string {
    const { tree } = this.#stacks;
    const children = tree.directlyAbove(node).map(idOf);
    return `{"id":${idOf(node)},"callFrame":${frame},"hitCount":${tree.time(node)},"children":[${children}]}`;
  }

  #frame(index: number): string {
    return (this.#frames[index] ??= this.#newFrame(this.#stacks.functions[index]!));
  }

  #newFrame({ name, place }: CalledFunction): string {
    if (place === undefined) return callFrame(name);
    const url = place.file.startsWith('/') ? pathToFileURL(place.file).href : place.file;
    const scriptId = this.#scripts.get(url) ?? String(this.#scripts.size);
    this.#scripts.set(url, scriptId);
    return callFrame(name, { scriptId, url, lineNumber: place.line - 1, columnNumber: place.column - 1 });
  }
}

const NOWHERE = { scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 } as const;

/** A function as V8's profiles have it: lines and columns are from 0, -1 is none. */
const callFrame = (functionName: string, place: Readonly<Record<keyof typeof NOWHERE, string | number>> = NOWHERE): string =>
  JSON.stringify({ functionName, ...place });

/** V8 numbers nodes from 1. */
const idOf = (node: number): number => node + 1;

/** Writes a number for each change of a thread's stack, with commas between. */
function writeChanges(recording: DumpedRecording, stacks: Stacks, out: TextOut, only: Thread, numberOf: NumberOf): void {
  let separator = '';
  const changed = (_thread: Thread, node: number, now: number): void => {
    out.write(`${separator}${numberOf(node, now)}`);
    separator = ',';
  };
  recording.walk(new StackChanges(stacks, out, changed, only));
}
type NumberOf = (node: number, now: number) => number;

/** Words for the user, if there are more threads than the one that was written. */
function otherThreads(threads: readonly Thread[], written: Thread): readonly string[] {
  if (threads.length < 2) return [];
  const others = threads.filter((thread) => thread !== written).map(({ track }) => trackTitle(track));
  const titles = [...others.slice(0, MOST_TITLES), ...(others.length > MOST_TITLES ? ['others'] : [])].join(', ');
  return [
    `a .cpuprofile holds one thread: this is ${trackTitle(written.track)}, with the most calls; --thread chooses another: ${titles}`,
  ];
}

/**
 * `--cpuprofile`: the calls of one thread, the one with the most of them, as the JSON of V8's CPU profiler. It has a sample at
 * each change of the stack, not at intervals: a sample's stack runs until the next one. The recording is read three times, so
 * that only the different stacks of all threads are kept, 36 bytes each, and the functions; samples are not.
 */
export const dump: Dump = (recording, output) => {
  const out = new TextOut(output);
  const stacks = new Stacks();
  const count = (thread: Thread, node: number, now: number): void => {
    thread.changes++;
    thread.last = Math.max(thread.last, now);
    stacks.tree.addTime(node, 1);
  };
  const { warnings } = recording.walk(new StackChanges(stacks, out, count));
  const threads = stacks.threads.filter((thread) => thread !== undefined);
  const [written] = threads.toSorted((a, b) => b.changes - a.changes);
  // DevTools takes a file for a profile if it begins so.
  out.write('{"nodes":[');
  if (written === undefined) out.write('],"startTime":0,"endTime":0,"samples":[],"timeDeltas":[');
  else {
    new Nodes(stacks).write(out, written);
    out.write(`\n],"startTime":${written.first},"endTime":${written.last},"samples":[`);
    writeChanges(recording, stacks, out, written, idOf);
    out.write('],\n"timeDeltas":[');
    let last = written.first;
    writeChanges(recording, stacks, out, written, (_node, now) => {
      const delta = Math.max(0, now - last);
      last += delta;
      return delta;
    });
  }
  out.write(']}\n');
  out.flush();
  return written === undefined ? warnings : [...warnings, ...otherThreads(threads, written)];
};
