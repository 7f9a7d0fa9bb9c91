import { TraceError } from '../../base/errno.js';
import { kstrtoul } from '../../base/kstrto.js';
import { type HistErrors, refused } from './hist-errors.js';

/** Variables of a table (TRACING_MAP_VARS_MAX). */
export const MAX_VARS = 16;
/** Actions of a trigger (HIST_ACTIONS_MAX). */
const MAX_ACTIONS = 8;
/** Entries of a table are 2 to the power of these (TRACING_MAP_BITS_*). */
const MAP_BITS = { least: 7, usual: 11, most: 17 };

/** The parts of a hist trigger as they were written (struct hist_trigger_attrs). */
export interface HistAttributes {
  keys: string;
  values: string | undefined;
  sort: string | undefined;
  /** The name that the trigger's `name=` gives it. */
  name: string | undefined;
  clock: string;
  pause: boolean;
  cont: boolean;
  clear: boolean;
  noHitcount: boolean;
  mapBits: number;
  /** Definitions of variables: `ts0=common_timestamp,x=y`. */
  readonly assignments: string[];
  readonly actions: string[];
}

/** The trigger and its filter; `filter` begins behind `if`. */
export interface SplitTrigger {
  readonly trigger: string;
  readonly filter: string | undefined;
}

/**
 * Splits `keys=pid if x == 1`. An `if` counts if white space is on both of its sides.
 * @throws TraceError EINVAL for an `if` that nothing stands before or behind
 */
export function splitFilter(text: string): SplitTrigger {
  const isBlank = (at: number): boolean => text[at] === ' ' || text[at] === '\t';
  for (let at = text.indexOf('if'); at >= 0; at = text.indexOf('if', at + 1)) {
    if (at === 0) refused('EINVAL', 'a hist trigger cannot begin with its filter');
    if (!isBlank(at - 1)) continue;
    if (at >= text.length - 3) refused('EINVAL', 'there is no filter behind `if`');
    if (isBlank(at + 2)) return { trigger: text.slice(0, at - 1).trim(), filter: text.slice(at).trim().slice(3) };
  }
  return { trigger: text, filter: undefined };
}

/** Entries of a table, as a power of two. @throws TraceError as kstrtoul, or EINVAL beyond 128 to 131072 */
function parseMapSize(text: string): number {
  const size = kstrtoul(text);
  const bits = size === 0n ? 0 : (size - 1n).toString(2).length;
  if (bits < MAP_BITS.least || bits > MAP_BITS.most) throw new TraceError('EINVAL', `a table of ${size} entries`);
  return bits;
}

type Set = (value: string) => Partial<HistAttributes>;

/** What may be written before a `=`; anything else defines variables. */
const ASSIGNMENTS: readonly (readonly [prefixes: readonly string[], set: Set])[] = [
  [['key=', 'keys='], (keys) => ({ keys })],
  [['val=', 'vals=', 'values='], (values) => ({ values })],
  [['sort='], (sort) => ({ sort })],
  [['name='], (name) => ({ name: `name=${name}` })],
  [['clock='], (clock) => ({ clock: clock.trim() })],
  [['size='], (size) => ({ mapBits: parseMapSize(size) })],
];

const WORDS: Readonly<Record<string, Partial<HistAttributes>>> = {
  pause: { pause: true },
  cont: { cont: true },
  continue: { cont: true },
  clear: { clear: true },
  nohitcount: { noHitcount: true },
  NOHC: { noHitcount: true },
};

const HANDLERS = ['onmatch(', 'onmax(', 'onchange('];

function assign(part: string, parts: HistAttributes, errors: HistErrors): void {
  for (const [prefixes, set] of ASSIGNMENTS) {
    const prefix = prefixes.find((each) => part.startsWith(each));
    if (prefix === undefined) continue;
    Object.assign(parts, set(part.slice(prefix.length)));
    return;
  }
  if (parts.assignments.length === MAX_VARS) errors.refuse('TOO_MANY_VARS', part);
  parts.assignments.push(part);
}

function addAction(part: string, { actions }: HistAttributes): void {
  if (actions.length >= MAX_ACTIONS) refused('EINVAL', `a hist trigger has at most ${MAX_ACTIONS} actions`);
  if (!HANDLERS.some((handler) => part.startsWith(handler))) refused('EINVAL', `not a part of a hist trigger: ${part}`);
  actions.push(part);
}

/**
 * Splits a hist trigger at its colons (parse_hist_trigger_attrs).
 * @param text what follows `hist:`, without the filter
 * @throws TraceError EINVAL, ERANGE
 */
export function parseAttributes(text: string, errors: HistErrors): HistAttributes {
  const parts: HistAttributes = {
    keys: '',
    values: undefined,
    sort: undefined,
    name: undefined,
    clock: 'global',
    pause: false,
    cont: false,
    clear: false,
    noHitcount: false,
    mapBits: MAP_BITS.usual,
    assignments: [],
    actions: [],
  };
  // A minus within an expression is an operator, so the one of this modifier is hidden (as the kernel does).
  for (const part of text.replaceAll('.sym-offset', '.symXoffset').split(':')) {
    const equals = part.indexOf('=');
    if (equals === part.length - 1 && equals >= 0) errors.refuse('EMPTY_ASSIGNMENT', part);
    if (equals >= 0) assign(part, parts, errors);
    else if (Object.hasOwn(WORDS, part)) Object.assign(parts, WORDS[part]);
    else addAction(part, parts);
  }
  if (parts.keys === '') refused('EINVAL', 'a hist trigger needs keys');
  return parts;
}
