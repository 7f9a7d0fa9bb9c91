import { type Fetch, type ProbeArgument, type ProbeType, rowOf } from '../../probes/probe-definition.js';

/** The expressions from which code that is generated for a probe gets what is there when it is hit. */
export interface FetchPlaces {
  /** The N-th value that the site passes, from 0. */
  argument(index: number): string;
  /** A name of the scope in which the probe stands. */
  variable(name: string): string;
  readonly self: string;
  readonly retval: string;
  readonly status: string;
  readonly duration: string;
  readonly stack: string;
  stackEntry(index: number): string;
  readonly comm: string;
  /** The variable for a value that the code cannot contain. */
  constant(value: unknown): string;
}

/** What machine code alone has. */
type Machine = 'register' | 'address' | 'file address';
type Sources = {
  readonly [K in Exclude<Fetch['kind'], Machine>]: (fetch: Extract<Fetch, { kind: K }>, places: FetchPlaces) => string;
};

const SOURCES: Sources = {
  argument: ({ index }, places) => places.argument(index),
  variable: ({ name }, places) => places.variable(name),
  symbol: ({ name }, places) => places.variable(name),
  this: (_fetch, { self }) => self,
  retval: (_fetch, { retval }) => retval,
  status: (_fetch, { status }) => status,
  duration: (_fetch, { duration }) => duration,
  stack: (_fetch, { stack }) => stack,
  'stack entry': ({ index }, places) => places.stackEntry(index),
  comm: (_fetch, { comm }) => comm,
  immediate: ({ value }, places) => (typeof value === 'number' ? String(value) : places.constant(value)),
  member: ({ of, name }, places) => `memberOf(${fetchSource(of, places)}, ${places.constant(name)})`,
  dereference: ({ of, offset }, places) => `behindStart(${fetchSource(of, places)}, ${offset})`,
};

/** The expression for what a fetch finds, as the program has it. It neither runs the program's code nor throws. */
export const fetchSource = <K extends Fetch['kind']>(fetch: Extract<Fetch, { kind: K }>, places: FetchPlaces): string =>
  SOURCES[fetch.kind as Exclude<K, Machine>](fetch as never, places);

/** The expressions for the elements of an array. */
const elements = (fetched: string, count: number, one: (element: string) => string): readonly string[] =>
  Array.from({ length: count }, (_, i) => one(`elementOf(${fetched}, ${i})`));

/** The function of fetch-values.ts that makes a fetched value one of a type; absent: integers are made by the event itself. */
const CONVERSIONS: Readonly<Partial<Record<ProbeType['name'], string>>> = {
  string: 'stringOf',
  ustring: 'stringOf',
  value: 'shownOf',
  symbol: 'symbolOf',
  char: 'charOf',
};

/**
 * The expressions for the values of an argument's field: one, or one for each text of several. They call the functions of
 * fetch-values.ts, none of which runs the program's code or throws.
 */
export function fetchSources({ fetch, type }: ProbeArgument, places: FetchPlaces): readonly string[] {
  const fetched = fetchSource(fetch, places);
  const { size, signed, isText } = rowOf(type.name);
  if (type.count !== undefined) {
    if (type.name === 'symbol') return [`[${elements(fetched, type.count, (element) => `env.addressOf(symbolOf(${element}))`)}]`];
    if (!isText) return [`integersOf(${fetched}, ${type.count}, ${size}, ${signed})`];
    return elements(fetched, type.count, (element) => `${CONVERSIONS[type.name]}(${element})`);
  }
  if (type.bits !== undefined) return [`bitsOf(${fetched}, ${type.bits.width}, ${type.bits.offset}, ${size})`];
  const conversion = CONVERSIONS[type.name];
  if (type.name === 'symstr') return [`env.symbolText(${fetched})`];
  if (conversion === 'symbolOf') return [`env.addressOf(symbolOf(${fetched}))`];
  return [conversion === undefined ? `integerOf(${fetched}, ${size}, ${signed})` : `${conversion}(${fetched})`];
}
