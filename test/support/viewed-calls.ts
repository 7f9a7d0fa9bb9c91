import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { Profile } from 'pprof-format';
import type { TraceProcessor } from './trace-processor.js';

/** What a viewer has of a function: as `report --profile` counts. Times in ns. */
export interface Sums {
  calls: number;
  self: number;
  /** From beginning to end of each part, recursion once. */
  running: number;
}

/** A part of a call, as a viewer draws it. */
interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isSuspended?: boolean;
  readonly isUnfinished?: boolean;
  readonly callees: Part[];
}

/** What a format has: the functions, by name and place, and how often each event is there, by `system:name`. */
export interface Viewed {
  readonly functions: ReadonlyMap<string, Sums>;
  readonly events: ReadonlyMap<string, number>;
}

/** The systems of what fentry adds: no events. */
const ADDED: ReadonlySet<unknown> = new Set(['recorder', 'context']);

/** `fib prog.mjs:8`: the same for all formats. */
export const keyOf = (name: unknown, file: unknown, line: unknown): string =>
  file === undefined || file === null || file === '' ? String(name) : `${name} ${basename(String(file))}:${line ?? 0}`;

const sumsOf = (functions: Map<string, Sums>, name: string): Sums => {
  const sums = functions.get(name) ?? { calls: 0, self: 0, running: 0 };
  functions.set(name, sums);
  return sums;
};

const count = (events: Map<string, number>, system: unknown, name: unknown): void => {
  const key = system === 'trace_marker' ? 'ftrace:print' : `${system}:${name}`;
  events.set(key, (events.get(key) ?? 0) + 1);
};

/** Adds up the parts of one thread, by their nesting. */
function addParts(functions: Map<string, Sums>, parts: readonly Part[], open: ReadonlySet<string> = new Set()): void {
  for (const { name, start, end, isSuspended, isUnfinished, callees } of parts) {
    if (!isUnfinished) {
      const sums = sumsOf(functions, name);
      // What has no end is time of its caller.
      const inside = callees.reduce((sum, one) => sum + (one.isUnfinished ? 0 : one.end - one.start), 0);
      sums.self += Math.max(0, end - start - inside);
      if (!isSuspended) sums.calls++;
      if (!open.has(name)) sums.running += end - start;
    }
    addParts(functions, callees, new Set(open).add(name));
  }
}

/** The slices and instants that Perfetto's trace processor has; its statistics must name no error. */
export async function readPerfetto(processor: TraceProcessor, path: string, systems: ReadonlySet<string>): Promise<Viewed> {
  const [errors = [], rows = []] = await processor.query(path, [
    `select name, value from stats where severity != 'info' and value > 0`,
    `select id, parent_id as parent, name, category, ts, dur, track_id as track,
       extract_arg(arg_set_id, 'source.file_name') as file, extract_arg(arg_set_id, 'source.line_number') as line,
       extract_arg(arg_set_id, 'debug.unfinished') as unfinished, extract_arg(arg_set_id, 'debug.suspended') as suspended
     from slice order by id`,
  ]);
  assert.deepEqual(errors, []);
  const functions = new Map<string, Sums>();
  const events = new Map<string, number>();
  const byId = new Map<unknown, Part>();
  const roots: Part[] = [];
  for (const { id, parent, name, category, ts, dur, file, line, unfinished, suspended } of rows) {
    if (ADDED.has(category)) continue;
    if (systems.has(String(category)) || category === 'trace_marker') {
      if (dur === 0 && !String(name).includes(' ')) count(events, category, name);
      else if (category === 'trace_marker') count(events, category, name);
      continue;
    }
    const start = Number(ts);
    const part = {
      name: keyOf(name, file, line),
      start,
      end: start + Number(dur),
      isUnfinished: unfinished === 1,
      isSuspended: suspended === 1,
      callees: [],
    };
    byId.set(id, part);
    (byId.get(parent)?.callees ?? roots).push(part);
  }
  addParts(functions, roots);
  return { functions, events };
}

interface ChromeEvent {
  readonly ph: string;
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** The events of Chrome's JSON. Calls are written when they end: callees stand before their callers. */
export function readChrome(text: string, systems: ReadonlySet<string>): Viewed {
  const { traceEvents } = JSON.parse(text) as { readonly traceEvents: readonly ChromeEvent[] };
  const functions = new Map<string, Sums>();
  const events = new Map<string, number>();
  const threads = new Map<string, Part[]>();
  const nanoseconds = (us: number): number => Math.round(us * 1000);
  for (const { ph, name, cat, pid, tid, ts, dur, args = {} } of traceEvents) {
    const [file, line] = String(args['place'] ?? '').split(/:(?=\d+$)/);
    if (ph === 'i' && !ADDED.has(cat)) {
      if (systems.has(cat) || cat === 'trace_marker') count(events, cat, name);
      else sumsOf(functions, keyOf(name, file, line)).calls++;
    }
    if (ph !== 'X') continue;
    const [start, end] = [nanoseconds(ts), nanoseconds(ts + dur)];
    const ended = threads.get(`${pid}/${tid}`) ?? [];
    threads.set(`${pid}/${tid}`, ended);
    let first = ended.length;
    while (first > 0 && ended[first - 1]!.start >= start && ended[first - 1]!.end <= end) first--;
    const { suspended: isSuspended = false, unfinished: isUnfinished = false } = args as Record<string, boolean>;
    ended.push({ name: keyOf(name, file, line), start, end, isSuspended, isUnfinished, callees: ended.splice(first) });
  }
  for (const parts of threads.values()) addParts(functions, parts);
  return { functions, events };
}

interface Speedscope {
  readonly shared: { readonly frames: readonly { readonly name: string; readonly file?: string; readonly line?: number }[] };
  readonly profiles: readonly {
    readonly startValue: number;
    readonly endValue: number;
    readonly events: readonly { readonly type: 'O' | 'C'; readonly frame: number; readonly at: number }[];
  }[];
}

const namesOf = ({ shared }: Speedscope): readonly string[] =>
  shared.frames.map(({ name, file, line }) => keyOf(name, file, line));

/** The parts of one of speedscope's profiles, with their times as `timeOf` has them. */
function speedscopeParts(
  { events, startValue, endValue }: Speedscope['profiles'][number],
  names: readonly string[],
  timeOf: (at: number) => number,
): readonly Part[] {
  const roots: Part[] = [];
  const open: Part[] = [];
  let last = startValue;
  for (const { type, frame, at } of events) {
    assert.ok(at >= last && at <= endValue, `${at} after ${last}, at most ${endValue}`);
    last = at;
    if (type === 'O') {
      const part = { name: names[frame]!, start: timeOf(at), end: timeOf(at), callees: [] };
      (open.at(-1)?.callees ?? roots).push(part);
      open.push(part);
      continue;
    }
    const part = open.pop() as { -readonly [Key in keyof Part]: Part[Key] };
    assert.equal(part.name, names[frame]);
    part.end = timeOf(at);
  }
  assert.deepEqual(open, []);
  return roots;
}

/** The frames of speedscope's profiles: it does not say which parts are a coroutine's, so the calls are those of parts. */
export function readSpeedscope(text: string): Viewed['functions'] {
  const read = JSON.parse(text) as Speedscope;
  const functions = new Map<string, Sums>();
  for (const profile of read.profiles) addParts(functions, speedscopeParts(profile, namesOf(read), Number));
  return functions;
}

/** The threads of speedscope's profiles that have the most calls, with all moments rounded to microseconds: sums are those. */
export function readBusiestOfSpeedscope(text: string): readonly Viewed['functions'][] {
  const read = JSON.parse(text) as Speedscope;
  const most = Math.max(0, ...read.profiles.map(({ events }) => events.length));
  const busiest = read.profiles.filter(({ events }) => events.length === most);
  return busiest.map((profile) => {
    const functions = new Map<string, Sums>();
    addParts(
      functions,
      speedscopeParts(profile, namesOf(read), (at) => Math.round(at / 1000)),
    );
    return functions;
  });
}

/** V8's profile of a thread. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly scriptId: string;
      readonly url: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    };
    readonly hitCount: number;
    readonly children: readonly number[];
  }[];
  readonly startTime: number;
  readonly endTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The functions of V8's profile, without the number of their calls; times in microseconds. */
export function readCpuProfile(text: string): Viewed['functions'] {
  const { nodes, startTime, endTime, samples, timeDeltas } = JSON.parse(text) as CpuProfile;
  const functions = new Map<string, Sums>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)));
  const hits = new Map<number, number>();
  const nameOf = (id: number): string => {
    const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
    return keyOf(functionName, decodeURI(url), lineNumber + 1);
  };
  assert.equal(samples.length, timeDeltas.length);
  let now = startTime;
  for (const [i, sample] of samples.entries()) {
    assert.ok(Number.isInteger(timeDeltas[i]) && timeDeltas[i]! >= 0, `${timeDeltas[i]}`);
    now += timeDeltas[i]!;
    hits.set(sample, (hits.get(sample) ?? 0) + 1);
    const length = timeDeltas[i + 1] ?? 0;
    const stack: string[] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) stack.push(nameOf(id));
    assert.equal(stack.pop(), '(root)');
    if (stack[0] === '(idle)') continue;
    sumsOf(functions, stack[0]!).self += length;
    for (const name of new Set(stack)) sumsOf(functions, name).running += length;
  }
  assert.equal(now, endTime);
  for (const { id, hitCount } of nodes) assert.equal(hitCount, hits.get(id) ?? 0, nameOf(id));
  return functions;
}

/** The sums of a profile for pprof by the function that is on top, without what it names otherwise. */
export function readPprof(path: string): Viewed['functions'] {
  const profile = Profile.decode(gunzipSync(readFileSync(path)));
  const { strings } = profile.stringTable;
  const types = profile.sampleType.map(({ type }) => strings[Number(type)]);
  const functions = new Map<string, Sums>();
  for (const { locationId, value } of profile.sample) {
    const location = profile.location.find(({ id }) => id === locationId[0]);
    const func = profile.function.find(({ id }) => id === location?.line[0]?.functionId);
    assert.ok(func !== undefined);
    const name = strings[Number(func.name)]!;
    if (name.startsWith('(outside') || name.startsWith('(deeper')) continue;
    const sums = sumsOf(functions, keyOf(name, strings[Number(func.filename)], func.startLine));
    sums.calls += Number(value[types.indexOf('calls')]);
    sums.self += Number(value[types.indexOf('time')]);
  }
  return functions;
}

/** The rows of both tables. */
export async function readParquet(calls: string, events: string): Promise<Viewed> {
  const functions = new Map<string, Sums>();
  const counts = new Map<string, number>();
  for (const row of await parquetReadObjects({ file: await asyncBufferFromFile(calls) })) {
    const name = row['package'] === '' ? row['function'] : `${row['function']} [${row['package']}]`;
    const sums = sumsOf(functions, keyOf(name, row['file'], row['line']));
    if (row['unfinished']) continue;
    if (!row['suspended']) sums.calls++;
    sums.self += Number(row['self'] ?? 0);
  }
  for (const { system, event } of await parquetReadObjects({ file: await asyncBufferFromFile(events) })) {
    if (!ADDED.has(system)) count(counts, system, event);
  }
  return { functions, events: counts };
}
