import { SafeSet } from '../../base/safe-map.js';
import { fetchRoot } from '../../probes/fetch-root.js';
import type { Fetch } from '../../probes/probe-definition.js';
import type { PointConfig } from '../../probes/probe-point.js';
import type { ProbeArguments } from '../events/event-probe-source.js';
import { type FetchPlaces, fetchSources } from './fetch-source.js';

type Constant = (value: unknown) => string;
/** The expressions for what is there at one kind of place. */
export type Places = Omit<FetchPlaces, 'constant' | 'stackEntry'>;

/** Nothing is there. */
const NOWHERE = 'FAULT';

const COMMON = {
  stack: 'env.stackBytes()',
  comm: 'env.comm()',
  // Only where a promise settles.
  status: NOWHERE,
  duration: NOWHERE,
} as const;

/** What a probe at a function's site, or at its end, is called with. */
export const SITE_NAMES = ['n', 'self', 'args', 'value', 'caller', 'status', 'duration'] as const;
const at = (name: (typeof SITE_NAMES)[number]): string => `a${SITE_NAMES.indexOf(name)}`;
const [FUNCTION, ARGS, VALUE] = [at('n'), at('args'), at('value')];

/** What a function's site, or its end, calls a probe with. */
export const SITE: Places = {
  ...COMMON,
  argument: (index) => `${ARGS}[${index}]`,
  variable: () => NOWHERE,
  self: at('self'),
  retval: VALUE,
  status: at('status'),
  duration: at('duration'),
};

/**
 * What a breakpoint calls a probe with: its address in place of a number, `this`, and functions that return the values of names.
 */
export const breakpointPlaces = (names: readonly string[]): Places => {
  const named = (name: string): string => `named(${ARGS}[${names.indexOf(name)}])`;
  return { ...COMMON, argument: () => NOWHERE, variable: named, self: named('this'), retval: NOWHERE };
};

/** The names that a point at a breakpoint reads there, each once. */
export const breakpointNames = ({ args }: Pick<PointConfig, 'args'>): readonly string[] => [
  ...new SafeSet(args.flatMap(({ fetch }) => nameIn(fetch) ?? [])),
];

/** The name that a fetch reads at a breakpoint. */
function nameIn(fetch: Fetch): string | undefined {
  const root = fetchRoot(fetch);
  if (root.kind === 'this') return 'this';
  return root.kind === 'variable' || root.kind === 'symbol' ? root.name : undefined;
}

/** The fields that stand before those of the arguments, by place. */
const HEADS = {
  entry: [`env.functionAddress(${FUNCTION})`],
  return: [`env.functionAddress(${FUNCTION})`, at('caller')],
  settled: [`env.functionAddress(${FUNCTION})`, at('caller')],
  breakpoint: [FUNCTION],
  statement: [FUNCTION],
  // It stands in no function of the program.
  tracepoint: ['0'],
  event: [],
} as const;

/**
 * The expressions for callers: the first one walks the stack, which takes microseconds, the others of a hit use what it has
 * found.
 */
function callers({ place: { kind }, args }: PointConfig): (index: number) => string {
  const roots = args.map(({ fetch }) => fetchRoot(fetch));
  const deepest = Math.max(...roots.map((root) => (root.kind === 'stack entry' ? root.index : 0)));
  let isWalked = false;
  return (index) => {
    const caller = isWalked ? `env.sameCallerAt(${index})` : `env.callerAt(${index}, ${deepest})`;
    isWalked = true;
    // The call is long over.
    if (kind === 'settled') return '0';
    // An exception has ended the call: the stack is that of the function which has caught it.
    return kind === 'return' ? `(${VALUE} === FAULT ? 0 : ${caller})` : caller;
  };
}

const argumentsFor = (config: PointConfig, names: readonly string[], places: Places): ProbeArguments => ({
  names,
  sources(constant: Constant) {
    const stackEntry = callers(config);
    return [
      ...HEADS[config.place.kind],
      ...config.args.flatMap((argument) => fetchSources(argument, { ...places, constant, stackEntry })),
    ];
  },
});

/** How a probe in the text of the program gets its values. */
export const pointArguments = (config: PointConfig): ProbeArguments =>
  argumentsFor(config, SITE_NAMES, config.place.kind === 'breakpoint' ? breakpointPlaces(breakpointNames(config)) : SITE);

/** What each record has besides its fields. */
const COMMON_FIELDS: Readonly<Record<string, string>> = {
  common_pid: 'trace.pid',
  common_cpu: 'env.cpu',
  common_comm: 'env.comm()',
};

/** What a tracepoint with arguments of these names, or an event with fields of these names, calls a probe with. */
export const namedPlaces = (names: readonly string[]): Places => ({
  ...COMMON,
  argument: (index) => (index < names.length ? `a${index}` : NOWHERE),
  variable: (name) => (names.includes(name) ? `a${names.indexOf(name)}` : (COMMON_FIELDS[name] ?? NOWHERE)),
  self: NOWHERE,
  retval: NOWHERE,
});

/** Arguments of a probe at a tracepoint with arguments of these names, or at an event with fields of these names. */
export const namedArguments = (config: PointConfig, names: readonly string[]): ProbeArguments =>
  argumentsFor(config, names, namedPlaces(names));
