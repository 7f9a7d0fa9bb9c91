import { gzipSync } from 'node:zlib';
import { type LabelInput, Location, Function as PprofFunction, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import { StackTree } from '../base/stack-tree.js';
import type { WallTime } from '../base/wall-time.js';
import type {
  Call,
  CallVisitor,
  Leave,
  ReadValue,
  Track,
  VisitedCall,
  VisitedEvent,
  WalkedRecording,
} from '../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import type { Dump } from './dumped-recording.js';
import { RequestOwners } from './request-owners.js';

/** What is summed up for each stack. */
const VALUES = [
  ['calls', 'count'],
  ['time', 'nanoseconds'],
  ['alloc_objects', 'count'],
  ['alloc_space', 'bytes'],
] as const;
const [CALLS, TIME, OBJECTS, BYTES] = [0, 1, 2, 3] as const;
/** The most frames of a stack; deeper calls stand on a stack of their own, whose lowest frame says so. */
const MAX_FRAMES = 512;
/** Frames that are no functions, by keys that no function has. */
const CUT_KEY = 0x7fffffff;
const NO_CALL_KEY = 0x7ffffffe;
const OTHER_FRAMES: Readonly<Record<number, string>> = {
  [CUT_KEY]: '(deeper than 512 frames)',
  [NO_CALL_KEY]: '(outside of calls)',
};
/** The event of an allocation, and the field with its size: it comes when the memory is taken. */
const ALLOCATION = { system: 'kmem', event: 'kmalloc', bytes: 'bytes_alloc' } as const;
/** The event of a sample of V8's: it comes later, and says which function took the memory, and where that is. */
const SAMPLE = { system: 'kmem', event: 'heap_sample', bytes: 'bytes', function: 'function', at: 'at' } as const;
/** From here on: the keys of functions that samples name. */
const SAMPLED_KEYS = 0x40000000;
const FIRST_SIZE = 1024;

/** A function, as a profile has it. */
interface PprofFrame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** Where the calls of a stack ran. */
interface Labels {
  readonly process: string;
  readonly thread: string;
  readonly route: string | undefined;
  readonly context: string | undefined;
}

/** The sums by stack, and by what the stack's calls ran for. */
class PprofSums implements CallVisitor<number> {
  readonly stacks = new StackTree();
  /** By the root's number. */
  readonly labels: Labels[] = [];
  readonly roots: number[] = [];
  /** By the function's index. */
  readonly functions: CalledFunction[] = [];
  wall: WallTime | undefined;
  first = Number.POSITIVE_INFINITY;
  last = 0;
  /** By node: its values, one after the other. */
  #values = new Float64Array(FIRST_SIZE * VALUES.length);
  /** The roots by their labels as text. */
  readonly #roots = new Map<string, number>();
  readonly #owners = new RequestOwners();
  /** By the track's index: the open calls' nodes. */
  readonly #open: (number[] | undefined)[] = [];
  hasAllocations = false;
  /** By key: the functions that samples name. */
  readonly sampled = new Map<number, PprofFrame>();
  readonly #sampledKeys = new Map<string, number>();

  open({ wall }: WalkedRecording): void {
    this.wall = wall;
  }

  begin(call: Call, caller: VisitedCall<number> | undefined): number {
    const { func, track, start } = call;
    this.functions[func.index] = func;
    this.first = Math.min(this.first, start);
    const below = caller?.place ?? this.#root(track);
    const node = this.stacks.above(this.stacks.depth(below) >= MAX_FRAMES ? this.#cut(below) : below, func.index);
    (this.#open[track.index] ??= []).push(node);
    return node;
  }

  end({ place, track, start }: VisitedCall<number>, { self, hidden = 0, duration, isSuspended }: Leave): void {
    this.#open[track.index]!.pop();
    this.last = Math.max(this.last, start + duration);
    this.#add(place, TIME, self + hidden);
    if (!isSuspended) this.#add(place, CALLS, 1);
  }

  unfinished({ track }: VisitedCall<number>): void {
    this.#open[track.index]!.pop();
  }

  hit(func: CalledFunction, { track }: VisitedEvent): void {
    this.functions[func.index] = func;
    this.#add(this.stacks.above(this.#root(track), func.index), CALLS, 1);
  }

  event(event: VisitedEvent): void {
    this.#owners.take(event);
    const { system, name } = event.format;
    if (name === ALLOCATION.event && system === ALLOCATION.system) {
      this.#allocated(this.#top(event.track), event.read(ALLOCATION.bytes));
    } else if (name === SAMPLE.event && system === SAMPLE.system) {
      const { process, name: thread } = event.track;
      const root = this.#rootOf({ process: process.name, thread, route: undefined, context: undefined });
      const key = this.#sampledKey(String(event.read(SAMPLE.function)), String(event.read(SAMPLE.at)));
      this.#allocated(this.stacks.above(root, key), event.read(SAMPLE.bytes));
    }
  }

  #allocated(node: number, bytes: ReadValue | undefined): void {
    this.hasAllocations = true;
    this.#add(node, OBJECTS, 1);
    this.#add(node, BYTES, Number(bytes ?? 0));
  }

  #sampledKey(name: string, at: string): number {
    const text = `${name} ${at}`;
    let key = this.#sampledKeys.get(text);
    if (key === undefined) {
      const [, file = at, line = 0] = /^(.*?):(\d+)(?::\d+)?$/.exec(at) ?? [];
      key = SAMPLED_KEYS + this.#sampledKeys.size;
      this.#sampledKeys.set(text, key);
      this.sampled.set(key, { name, file, line: Number(line) });
    }
    return key;
  }

  value(node: number, kind: number): number {
    return this.#values[node * VALUES.length + kind] ?? 0;
  }

  #add(node: number, kind: number, value: number): void {
    const at = node * VALUES.length + kind;
    if (at >= this.#values.length) {
      const larger = new Float64Array(Math.max(at + 1, this.#values.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[at]! += value;
  }

  /** The node of the innermost open call of a thread. */
  #top(track: Track): number {
    return this.#open[track.index]?.at(-1) ?? this.stacks.above(this.#root(track), NO_CALL_KEY);
  }

  #root(track: Track): number {
    return this.#rootOf({
      process: track.process.name,
      thread: track.name,
      route: this.#owners.owner(track)?.route,
      context: this.#owners.comm(track),
    });
  }

  #rootOf(labels: Labels): number {
    const key = JSON.stringify(labels);
    let root = this.#roots.get(key);
    if (root === undefined) {
      root = this.stacks.addRoot(this.labels.push(labels) - 1);
      this.#roots.set(key, root);
      this.roots.push(root);
    }
    return root;
  }

  /** Where calls stand that are deeper than a stack may be. */
  #cut(node: number): number {
    let root = node;
    while (this.stacks.depth(root) > 0) root = this.stacks.parent(root);
    return this.stacks.above(root, CUT_KEY);
  }
}

function frameOf(sums: PprofSums, key: number): PprofFrame {
  const func = key < SAMPLED_KEYS ? sums.functions[key] : undefined;
  if (func === undefined) return sums.sampled.get(key) ?? { name: OTHER_FRAMES[key]!, file: '', line: 0 };
  return { name: func.name, file: func.where.replace(/:\d+$/, ''), line: func.place?.line ?? 0 };
}

/** The profile as pprof's protobuf. */
function profileOf(sums: PprofSums): Profile {
  const { wall, first } = sums;
  const strings = new StringTable();
  const location = new Map<number, Location>();
  const functions: PprofFunction[] = [];
  const locationOf = (key: number): number => {
    const known = location.get(key);
    if (known !== undefined) return Number(known.id);
    const id = location.size + 1;
    const { name, file, line } = frameOf(sums, key);
    const text = strings.dedup(name);
    const filename = strings.dedup(file);
    functions.push(new PprofFunction({ id, name: text, systemName: text, filename, startLine: line }));
    location.set(key, new Location({ id, line: [{ functionId: id, line }] }));
    return id;
  };
  const valueTypes = VALUES.filter((_, kind) => kind < OBJECTS || sums.hasAllocations);
  const sample: Sample[] = [];
  for (const root of sums.roots) {
    const label = labelsOf(sums.labels[sums.stacks.key(root)]!, strings);
    const path: number[] = [];
    const add = (node: number): void => {
      const value = valueTypes.map((_, kind) => Math.round(sums.value(node, kind)));
      if (value.some((one) => one > 0)) sample.push(new Sample({ locationId: [...path].reverse(), value, label }));
    };
    for (const node of sums.stacks.over(root)) {
      path.length = sums.stacks.depth(node) - 1;
      path.push(locationOf(sums.stacks.key(node)));
      add(node);
    }
  }
  return new Profile({
    sampleType: valueTypes.map(([type, unit]) => new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) })),
    sample,
    location: [...location.values()],
    function: functions,
    ...(wall && Number.isFinite(first) && { timeNanos: Math.round(wall.since1970 + first - wall.time) }),
    durationNanos: Math.max(0, Math.round(sums.last - sums.first)) || 0,
    defaultSampleType: strings.dedup(VALUES[TIME][0]),
    stringTable: strings,
  });
}

const labelsOf = (labels: Labels, strings: StringTable): LabelInput[] =>
  Object.entries(labels).flatMap(([key, text]: [string, string | undefined]) =>
    text === undefined || text === '' ? [] : [{ key: strings.dedup(key), str: strings.dedup(text) }],
  );

/**
 * `--pprof`: calls, self time and allocations by stack, as pprof and what reads its files have them. Memory grows with the number
 * of different stacks.
 */
export const dump: Dump = (recording, output) => {
  const sums = new PprofSums();
  const { warnings } = recording.walk(sums);
  const profile = profileOf(sums);
  output.write(gzipSync(profile.encode()));
  return profile.sample.length > 0 ? warnings : [...warnings, 'the profile is empty: there are neither calls nor allocations'];
};
