import { compileGlob, isPlain } from '../../../base/glob.js';
import { isMeant } from '../../../events/costly-events.js';
import type { Fetch } from '../../../probes/probe-definition.js';
import { marksOf } from '../../node-marks.js';
import type { ScriptPoint } from '../../program.js';
import type { ScriptTarget, TargetEvent } from '../../target.js';
import type { PointComponent } from '../syntax-tree.js';
import { fault, SemanticError, similarTo } from './semantic-error.js';
import { TRACEPOINT_ARGUMENTS, ZERO } from './tracepoint-arguments.js';

/** What a handler can read at its point. */
export interface PointVariables {
  /** Names with their types, for `stap -L`, `$$vars` and errors. */
  readonly types: Readonly<Record<string, string>>;
  /** How `$name` is fetched, and a member of it that stands for another field; undefined: there is none. */
  fetch(name: string, member?: string): Fetch | undefined;
  /** The type of what is fetched so, where the point says it: fields of events have one. Else it is a `value`. */
  typeOf?(name: string, member?: string): 'long' | 'string';
  /** `$return` is there, and `@entry`. */
  readonly isReturn: boolean;
  /** Whether it stands in functions: their parameters can be listed where it is hit. */
  readonly isInFunction: boolean;
}

/** A point that the runtime can stand at, or a sentence that says why there is none. */
export interface BasePoint {
  readonly point: ScriptPoint;
  /** What `pp()` says. */
  readonly name: string;
  readonly variables: PointVariables;
  /** The script ends behind the handler: `oneshot`. */
  readonly endsScript?: true;
}

const NOTHING: PointVariables = { types: {}, fetch: () => undefined, isReturn: false, isInFunction: false };

const bare = (point: ScriptPoint, name: string): readonly BasePoint[] => [{ point, name, variables: NOTHING }];

/** The refusal of a kind of points, as a sentence. */
export class NoSuchPoint {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

type Found = readonly BasePoint[] | NoSuchPoint;
type Arguments = readonly (string | number)[];
type Build = (args: Arguments, target: ScriptTarget, name: string) => Found;

const UNITS = { s: 1e9, sec: 1e9, ms: 1e6, msec: 1e6, us: 1e3, usec: 1e3, ns: 1, nsec: 1, jiffies: 4e6 } as const;

const DAY_NS = 86_400e9;
const FASTEST_NS = 100_000;

/** @throws SemanticError for a time that is too short or too long */
function interval(written: string | number | undefined, least: number, most: number): number {
  const value = Number(written);
  if (value >= least && value <= most) return value;
  throw new SemanticError(fault('interval', [least, most]));
}

/** `timer.s(1)`, `timer.s(1).randomize(2)` */
const timers = Object.fromEntries(
  Object.entries(UNITS).flatMap(([unit, ns]): (readonly [string, Build])[] => [
    [`timer.${unit}#`, ([n], _target, name) => bare({ kind: 'timer', everyNs: interval(n, 1, DAY_NS / ns) * ns }, name)],
    [
      `timer.${unit}#.randomize#`,
      ([n, random], _target, name) => bare({ kind: 'timer', everyNs: Number(n) * ns, randomNs: Number(random) * ns }, name),
    ],
  ]),
);

/** How often the kernel's profiling timer fires: CONFIG_HZ of Debian's kernel. */
const PROFILE_NS = 4e6;

const ordered = (kind: 'begin' | 'end' | 'error'): Readonly<Record<string, Build>> => ({
  [kind]: (_args, _target, name) => bare({ kind, priority: 0 }, name),
  [`${kind}#`]: ([priority], _target, name) => bare({ kind, priority: Number(priority) }, name),
});

/** The points that stand by themselves, by their components: `#` is a number, `$` a text behind a name. */
const SIMPLE: Readonly<Record<string, Build>> = {
  ...ordered('begin'),
  ...ordered('end'),
  ...ordered('error'),
  never: (_args, _target, name) => bare({ kind: 'never' }, name),
  oneshot: (_args, _target, name) => [{ point: { kind: 'begin', priority: 0 }, name, variables: NOTHING, endsScript: true }],
  ...timers,
  'timer.hz#': ([hz], _target, name) =>
    bare({ kind: 'timer', everyNs: interval(Math.round(1e9 / Number(hz)), FASTEST_NS, DAY_NS) }, name),
  'timer.profile': (_args, _target, name) => bare({ kind: 'profile', everyNs: PROFILE_NS }, name),
  'timer.profile.tick': (_args, _target, name) => bare({ kind: 'profile', everyNs: PROFILE_NS }, name),
  'kernel.trace$': ([written], target, name) => tracepoints(String(written), target, name),
  'process.mark$': ([mark], target, name) => marks(String(mark), target, name),
  'process$.mark$': ([, mark], target, name) => marks(String(mark), target, name),
  'process.provider$.mark$': ([, mark], target, name) => marks(String(mark), target, name),
  'process$.provider$.mark$': ([, , mark], target, name) => marks(String(mark), target, name),
  'process.begin': (_args, _target, name) => bare({ kind: 'begin', priority: 0 }, name),
  'process.end': (_args, _target, name) => bare({ kind: 'end', priority: 0 }, name),
};

/** The first components of points that a program under Node.js does not have, and why. */
const MISSING: Readonly<Record<string, string>> = {
  procfs: 'procfs probes are not offered: read scripts/NAME/globals of the traced process',
  netfilter: 'a process has no netfilter hooks: use socket or http events (kernel.trace("http:*"))',
  perf: 'hardware counters are not offered: use timer.profile',
  java: 'there is no Java in this process',
  python2: 'there is no Python in this process',
  python3: 'there is no Python in this process',
  kprobe: 'use kernel.function("NAME"): it finds the functions of the program',
  nfs: 'there is no NFS in a process',
  scsi: 'there are no SCSI devices in a process',
};

function tracepoints(written: string, target: ScriptTarget, name: string): Found {
  const colon = written.indexOf(':');
  const [system, glob] = colon < 0 ? ['*', written] : [written.slice(0, colon), written.slice(colon + 1)];
  const head = name.slice(0, name.indexOf('"'));
  const events = target.events(system, glob).filter((event) => isMeant(event, glob));
  return events.map((event) => eventPoint(event, `${head}"${event.system}:${event.name}")`));
}

function eventPoint(event: TargetEvent, name: string): BasePoint {
  const { system, fields } = event;
  const args = TRACEPOINT_ARGUMENTS[`${system}:${event.name}`];
  const has = new Set(fields.map((field) => field.name));
  const types =
    args === undefined
      ? Object.fromEntries(fields.map(({ name: field, type, isText }) => [field, isText ? 'char*' : type]))
      : Object.fromEntries(Object.entries(args).map(([argument, { type }]) => [argument, type]));
  const fieldOf = (variable: string, member?: string): string | undefined => {
    if (member !== undefined) return args?.[variable]?.members?.[member];
    return args === undefined ? variable : args[variable]?.field;
  };
  const fetch = (variable: string, member?: string): Fetch | undefined => {
    const field = fieldOf(variable, member);
    if (field === ZERO) return { kind: 'immediate', value: 0 };
    return field !== undefined && has.has(field) ? { kind: 'variable', name: field } : undefined;
  };
  const typeOf = (variable: string, member?: string): 'long' | 'string' => {
    const field = fieldOf(variable, member);
    return fields.some(({ name: one, isText }) => one === field && isText) ? 'string' : 'long';
  };
  return {
    point: { kind: 'event', system, name: event.name },
    name,
    variables: { types, fetch, typeOf, isReturn: false, isInFunction: false },
  };
}

function marks(glob: string, target: ScriptTarget, name: string): Found {
  const head = name.slice(0, name.lastIndexOf('"', name.length - 3));
  return marksOf(glob, target).map(({ name: mark, event, args }): BasePoint => {
    const base = eventPoint(event, `${head}"${mark}")`);
    const numbered = (variable: string): string => args[Number(/^arg(\d+)$/.exec(variable)?.[1]) - 1] ?? variable;
    const types = Object.fromEntries(args.map((_field, i) => [`arg${i + 1}`, 'long']));
    return {
      ...base,
      variables: {
        ...base.variables,
        types,
        fetch: (variable) => base.variables.fetch(numbered(variable)),
        typeOf: (variable) => base.variables.typeOf!(numbered(variable)),
      },
    };
  });
}

/** Where functions are looked for: in the application, in a package, in a file. */
interface FunctionScope {
  readonly module?: string;
  readonly file?: string;
}

/** The components in front of `function(...)` and `statement(...)`. */
const SCOPES: Readonly<Record<string, (args: Arguments, target: ScriptTarget) => FunctionScope>> = {
  kernel: () => ({ module: '' }),
  module$: ([name]) => ({ module: String(name) }),
  process: () => ({}),
  process$: ([path], target) => (isProgram(String(path), target) ? {} : { file: String(path) }),
};

/** Whether a path names the program itself: the name of what runs, or of Node. */
const isProgram = (path: string, { command }: ScriptTarget): boolean => {
  const base = path.slice(path.lastIndexOf('/') + 1);
  return base === 'node' || base === command.slice(command.lastIndexOf('/') + 1);
};

/** What may stand behind `function(...)`. */
const ENDS: Readonly<Record<string, 'entry' | 'return' | undefined>> = {
  '': 'entry',
  call: 'entry',
  exported: 'entry',
  return: 'return',
  // Calls that the compiler has put into their caller: V8 keeps the sites of these.
  inline: undefined,
};

const SPECIFICATION = /^(?<symbol>[^@]+?)(?:@(?<file>[^:+]*)(?::(?<line>\d+|\*)|\+(?<relative>\d+))?)?$/;

function functions(parts: readonly PointComponent[], scope: FunctionScope, target: ScriptTarget, name: string): Found {
  const [head, ...modifiers] = parts;
  const spec = SPECIFICATION.exec(String(head!.argument?.value ?? ''))?.groups;
  if (spec === undefined) return new NoSuchPoint(`a function is written NAME, NAME@FILE or NAME@FILE:LINE`);
  let at: 'entry' | 'return' = 'entry';
  let maxactive: number | undefined;
  for (const modifier of modifiers) {
    if (modifier.name === 'maxactive') {
      maxactive = Number(modifier.argument?.value ?? 0);
      continue;
    }
    const end = modifier.argument === undefined ? ENDS[modifier.name] : undefined;
    if (end === undefined) return [];
    at = end;
  }
  const { symbol = '', file, line } = spec;
  const point: Extract<ScriptPoint, { kind: 'function' }> = {
    kind: 'function',
    at,
    symbol,
    ...(scope.module !== undefined && { module: scope.module }),
    ...((file ?? scope.file) !== undefined && { file: file ?? scope.file! }),
    ...(line !== undefined && line !== '*' && { line: Number(line) }),
    ...(maxactive !== undefined && { maxactive }),
  };
  const found = target.functions(point);
  if (found.length === 0 && !target.isStarting) return isPlain(symbol) ? noFunction(point, target) : [];
  const params = [...new Set(found.flatMap((one) => one.params))];
  const isReturn = at === 'return';
  const types = {
    ...(isReturn && { return: 'value' }),
    ...Object.fromEntries(params.map((param) => [param, 'value'])),
  };
  const fetch = (variable: string, member?: string): Fetch | undefined => {
    if (member !== undefined) return undefined;
    if (variable === 'this') return { kind: 'this' };
    if (variable === 'return') return isReturn ? { kind: 'retval' } : undefined;
    return params.includes(variable) || found.length === 0 ? { kind: 'variable', name: variable } : undefined;
  };
  return [{ point, name, variables: { types, fetch, isReturn, isInFunction: true } }];
}

/** @throws SemanticError with the functions that may have been meant, if there are any in the same place */
function noFunction(point: Extract<ScriptPoint, { kind: 'function' }>, target: ScriptTarget): readonly BasePoint[] {
  const { line: _line, ...anywhere } = point;
  const similar = similarTo(
    point.symbol,
    target.functions({ ...anywhere, symbol: '*' }).map((one) => one.symbol),
    ' (similar functions: ',
  );
  if (similar === '') return [];
  throw new SemanticError(fault('no match', [similar]));
}

const STATEMENT = /^(?:(?<symbol>[^@]+)@)?(?<file>[^:+@]+):(?<line>\d+)$/;

function statements(part: PointComponent, target: ScriptTarget, name: string): Found {
  const spec = STATEMENT.exec(String(part.argument?.value ?? ''))?.groups;
  if (spec === undefined) return new NoSuchPoint('a statement is written *@FILE:LINE, with the number of one line');
  const { symbol, file = '', line } = spec;
  const point: Extract<ScriptPoint, { kind: 'statement' }> = {
    kind: 'statement',
    file,
    line: Number(line),
    ...(symbol !== undefined && symbol !== '*' && { symbol }),
  };
  const found = target.statement(point);
  if (typeof found === 'string') return target.isStarting ? [] : new NoSuchPoint(found);
  const types = Object.fromEntries(found.variables.map((variable) => [variable, 'value']));
  const fetch = (variable: string, member?: string): Fetch | undefined => {
    if (member !== undefined) return undefined;
    if (variable === 'this') return { kind: 'this' };
    return found.variables.includes(variable) ? { kind: 'variable', name: variable } : undefined;
  };
  return [{ point, name, variables: { types, fetch, isReturn: false, isInFunction: true } }];
}

const SHAPES = { long: '#', string: '$' } as const;

/** The names of components with the kinds of their arguments: `timer.s#`. */
const shapeOf = (parts: readonly PointComponent[]): string =>
  parts.map(({ name, argument }) => `${name}${argument === undefined ? '' : SHAPES[argument.kind]}`).join('.');

/** How a point is written. */
export const pointText = (parts: readonly PointComponent[]): string =>
  parts
    .map(({ name, argument }) => {
      if (argument === undefined) return name;
      return `${name}(${argument.kind === 'string' ? `"${argument.value}"` : argument.value})`;
    })
    .join('.');

/** Points without arguments that wildcards name: `timer.*`. */
function globbedPoints(parts: readonly PointComponent[], target: ScriptTarget): readonly BasePoint[] {
  if (!parts.some(({ name }) => name.includes('*')) || parts.some(({ argument }) => argument !== undefined)) return [];
  return Object.entries(SIMPLE).flatMap(([shape, build]) => {
    const names = shape.split('.');
    const isMeant = names.length === parts.length && names.every((name, i) => compileGlob(parts[i]!.name).test(name));
    const found = isMeant && /^[\w.]+$/.test(shape) ? build([], target, shape) : [];
    return found instanceof NoSuchPoint ? [] : found;
  });
}

/** The names with which points begin, for errors. */
export const FIRST_NAMES: readonly string[] = [
  ...new Set([...Object.keys(SIMPLE), ...Object.keys(SCOPES)].map((shape) => /^\w+/.exec(shape)![0])),
];

/**
 * The points that a list of components names, without aliases.
 * @returns undefined: there is no such kind of points; empty: there is nothing of the kind here
 */
export function basePoints(parts: readonly PointComponent[], target: ScriptTarget): Found | undefined {
  const name = pointText(parts);
  const simple = SIMPLE[shapeOf(parts)];
  const args = parts.flatMap(({ argument }) => (argument === undefined ? [] : [plain(argument.value)]));
  if (simple !== undefined) return simple(args, target, name);
  const globbed = globbedPoints(parts, target);
  if (globbed.length > 0) return globbed;
  const at = parts.findIndex((part) => part.name === 'function' || part.name === 'statement');
  const scope = at < 0 ? undefined : SCOPES[shapeOf(parts.slice(0, at))];
  const head = parts[at];
  if (scope !== undefined && head?.argument?.kind === 'string') {
    const within = scope(args, target);
    if (head.name === 'function') return functions(parts.slice(at), within, target, name);
    return parts.length === at + 1 ? statements(head, target, name) : [];
  }
  const why = MISSING[parts[0]!.name];
  return why === undefined ? undefined : new NoSuchPoint(why);
}

const plain = (value: string | bigint): string | number => (typeof value === 'bigint' ? Number(value) : value);
