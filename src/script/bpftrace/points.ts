import { compileGlob, isPlain } from '../../base/glob.js';
import { isMeant } from '../../events/costly-events.js';
import { MARK_NAMES, marksOf } from '../node-marks.js';
import type { ScriptPoint } from '../program.js';
import type { ScriptTarget, TargetEvent, TargetFunction } from '../target.js';
import { similarTo } from './near-names.js';
import type { AttachPoint } from './syntax-tree.js';

/** Who tells of a probe, by its long name. */
export const PROVIDERS = {
  BEGIN: [],
  END: [],
  kprobe: ['k'],
  kretprobe: ['kr'],
  uprobe: ['u'],
  uretprobe: ['ur'],
  kfunc: ['f', 'fentry'],
  kretfunc: ['fr', 'fexit'],
  tracepoint: ['t'],
  usdt: ['U'],
  interval: ['i'],
  profile: ['p'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type ProviderName = keyof typeof PROVIDERS;

/** Providers of bpftrace that cannot be had for programs of JavaScript, and what can be used. */
const REFUSED: readonly (readonly [readonly string[], string])[] = [
  [['software', 's'], 'the kernel counts software events; fentry perf stat shows them'],
  [['hardware', 'h'], "the counters of the processor are the kernel's; fentry has none: use profile or interval"],
  [
    ['watchpoint', 'w', 'asyncwatchpoint', 'aw'],
    'no variable of JavaScript has an address that can be watched: use kprobe at what changes it',
  ],
  [['iter', 'it'], "the kernel's objects cannot be visited: use interval, and the files of fentry"],
  [['rawtracepoint', 'rt'], 'events have no raw arguments here: use tracepoint'],
];

/** A place where a handler stands, as the checker sees it. */
export interface ResolvedPoint {
  readonly provider: ProviderName;
  readonly point: ScriptPoint;
  /** The point's name, with the provider's long name. */
  readonly name: string;
  /** The name of a hit is this and the function's; absent: `name`. */
  readonly prefix?: string;
  readonly event?: TargetEvent;
  /** Fields of the event that are `arg0` and the following. */
  readonly args?: readonly string[];
  /** The functions that match now, if it is a point at functions. */
  readonly functions?: readonly TargetFunction[];
}

export interface ResolvedPoints {
  readonly points: readonly ResolvedPoint[];
  readonly errors: readonly string[];
  /** Where nothing is: an error if it is the only point of its block. */
  readonly missing?: string;
}

const UNITS = { us: 1e3, ms: 1e6, s: 1e9 } as const;
/** The most often that an interval comes: 1000 times a second. */
const SHORTEST_NS = 1e6;

/** Finds what a place of probes means in this program. */
export function resolvePoint({ parts }: AttachPoint, target: ScriptTarget): ResolvedPoints {
  const [written = '', ...rest] = parts;
  const provider = providerOf(written);
  if (provider === undefined) return refusal(written);
  const name = [provider, ...rest].join(':');
  const result = RESOLVERS[provider]({ provider, name, rest, target });
  if (typeof result === 'string') return { points: [], errors: [result] };
  if ('missing' in result) return { points: [], errors: [], missing: result.missing };
  return { points: result, errors: [] };
}

export function providerOf(written: string): ProviderName | undefined {
  const names = Object.keys(PROVIDERS) as ProviderName[];
  return names.find((name) => name === written || (PROVIDERS[name] as readonly string[]).includes(written));
}

function refusal(written: string): ResolvedPoints {
  const [, why] = REFUSED.find(([names]) => names.includes(written)) ?? [];
  if (why !== undefined) return { points: [], errors: [`${written} probes cannot be had here: ${why}`] };
  const names = Object.entries(PROVIDERS).flatMap(([name, short]) => [name, ...short]);
  return { points: [], errors: [`Invalid probe type: ${written}${similarTo(written, names)}`] };
}

interface Written {
  readonly provider: ProviderName;
  readonly name: string;
  readonly rest: readonly string[];
  readonly target: ScriptTarget;
}
type Resolved = readonly ResolvedPoint[] | string | { readonly missing: string };
type Resolver = (written: Written) => Resolved;

const wants = (provider: string, count: string): string => `${provider} probe type requires ${count}`;

const once =
  (kind: 'begin' | 'end'): Resolver =>
  ({ provider, name, rest }) =>
    rest.length > 0 ? wants(provider, '0 arguments') : [{ provider, name, point: { kind, priority: 0 } }];

/** `kprobe:FUNC` and `kprobe:MODULE:FUNC`. */
const atFunction =
  (at: 'entry' | 'return'): Resolver =>
  (written) => {
    const { provider, rest } = written;
    const [first, second] = rest;
    if (first === undefined || rest.length > 2) return wants(provider, '1 argument');
    const symbol = second ?? first;
    if (symbol === '') return `${provider.replace('ret', '')}s should be attached to a function`;
    return functionPoint(written, { kind: 'function', at, symbol, ...(second === undefined ? {} : { module: first }) });
  };

/** `uprobe:FILE:FUNC`. */
const inFile =
  (at: 'entry' | 'return'): Resolver =>
  (written) => {
    const { provider, rest } = written;
    const [file = '', symbol, more] = rest;
    if (symbol === undefined || more !== undefined) return wants(provider, '2 arguments');
    if (file === '') return `${provider} should have a target`;
    if (symbol === '') return `${provider} should be attached to a function and/or address`;
    return functionPoint(written, { kind: 'function', at, symbol, file });
  };

function functionPoint({ provider, name, rest, target }: Written, point: Extract<ScriptPoint, { kind: 'function' }>): Resolved {
  const { symbol } = point;
  if (/\+(?:0x)?[0-9a-f]+$/i.test(symbol)) {
    return `${name}: no place inside a function can be named by bytes: name the function, or a line by fentry stap`;
  }
  const functions = target.functions(point);
  if (functions.length === 0 && !target.isStarting) {
    const all = target.functions({ ...point, symbol: '*' }).map((found) => found.symbol);
    return { missing: `${name}: the program has no such function${isPlain(symbol) ? similarTo(symbol, all) : ''}` };
  }
  const prefix = `${[provider, ...rest.slice(0, -1)].join(':')}:`;
  return [{ provider, name, point, functions, ...(isPlain(symbol) ? {} : { prefix }) }];
}

const tracepoint: Resolver = ({ provider, rest, target }) => {
  const [system, event, more] = rest;
  if (system === undefined || event === undefined || more !== undefined) return wants(provider, '2 arguments');
  const events = target.events(system, event).filter((one) => isMeant(one, event));
  if (events.length > 0) return events.map((found) => eventPoint(provider, found));
  const all = target.events('*', '*').map((found) => `${found.system}:${found.name}`);
  return { missing: `tracepoint not found: ${system}:${event}${similarTo(`${system}:${event}`, all)}` };
};

const eventPoint = (provider: ProviderName, event: TargetEvent): ResolvedPoint => {
  const { system, name } = event;
  return { provider, name: `tracepoint:${system}:${name}`, point: { kind: 'event', system, name }, event };
};

/** `usdt:NODE:MARK` and `usdt:NODE:node:MARK`, where NODE is Node's path or any other word: there is no other program. */
const usdt: Resolver = ({ provider, name, rest, target }) => {
  if (rest.length < 2 || rest.length > 3) return wants(provider, '2 or 3 arguments');
  const mark = rest.at(-1)!;
  const head = [provider, ...rest.slice(0, -1)].join(':');
  const isNodes = rest.length === 2 || compileGlob(rest[1]!).test('node');
  const found = isNodes ? marksOf(mark, target) : [];
  if (found.length === 0)
    return { missing: `${name}: Node.js had no such mark${isPlain(mark) ? similarTo(mark, MARK_NAMES) : ''}` };
  return found.map(({ name: one, event, args }) => ({ ...eventPoint(provider, event), name: `${head}:${one}`, args }));
};

const timer =
  (kind: 'timer' | 'profile'): Resolver =>
  ({ provider, name, rest }) => {
    const [unit, count, more] = rest;
    if (unit === undefined || count === undefined || more !== undefined) return wants(provider, '2 arguments');
    if (unit !== 'hz' && !(unit in UNITS)) return `${unit} is not an accepted unit of time`;
    const value = /^\d[\d_]*(?:e\d+)?$/.test(count) ? Number(count.replaceAll('_', '')) : 0;
    if (!Number.isSafeInteger(value) || value < 1) return `${name}: ${count} is no number of 1 or more`;
    const everyNs = unit === 'hz' ? 1e9 / value : value * UNITS[unit as keyof typeof UNITS];
    if (everyNs < SHORTEST_NS) return `${name}: at most 1000 times a second can be had`;
    return [{ provider, name, point: { kind, everyNs: Math.round(everyNs) } }];
  };

const RESOLVERS: Readonly<Record<ProviderName, Resolver>> = {
  BEGIN: once('begin'),
  END: once('end'),
  kprobe: atFunction('entry'),
  kretprobe: atFunction('return'),
  kfunc: atFunction('entry'),
  kretfunc: atFunction('return'),
  uprobe: inFile('entry'),
  uretprobe: inFile('return'),
  tracepoint,
  usdt,
  interval: timer('timer'),
  profile: timer('profile'),
};
