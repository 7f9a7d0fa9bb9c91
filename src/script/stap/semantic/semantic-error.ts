import { editDistance } from '../../edit-distance.js';
import type { StapPlace } from '../syntax-tree.js';

/** What is wrong with a script that parses, by name. `{0}`, `{1}` are filled in; the words are those of SystemTap 4.8. */
export const SEMANTIC_ERRORS = {
  'no probes': 'no probes found',
  'point mismatch': 'probe point mismatch{0}',
  'no match': 'no match{0}',
  'unresolved function': 'unresolved function {0}{1}',
  'unresolved array': 'unresolved arity-{0} global array {1}, missing global declaration?',
  'inconsistent arity': 'inconsistent arity ({0} vs {1})',
  'function arity': "arity mismatch found (function '{0}' takes {1} args)",
  'type mismatch': 'type mismatch ({0})',
  'type expected': 'type mismatch: expected {0} but found {1}',
  'unresolved type': 'unresolved type ',
  lvalue: 'Expecting lvalue for assignment',
  'format arguments': 'Wrong number of args to formatted print operator',
  'no target': 'unresolved target-symbol expression',
  'no such target': "unable to find variable '{0}'{1}",
  'read only': 'variables of the program can only be read: write to {0} is refused',
  embedded: 'embedded C is refused: what runs here is JavaScript. {0}',
  'no loop': "cannot '{0}' outside loop",
  'entry place': '@entry is only valid in .return probes',
  'not here': '{0}',
  'stats expected': 'expected statistic (aggregate)',
  'histogram place': 'a histogram can be printed, indexed and looked through only',
  'foreach locals': 'a key of foreach must be a local variable',
  'histogram shape': "multiple histogram types declared on '__global_{0}'",
  'histogram buckets': 'a histogram has 1 to 126 buckets, (to - from) / step',
  regex: 'regex compilation error: {0}',
  'unsigned shift': 'unsupported binary operator >>>',
  interval: 'interval value out of range ({0}, {1})',
  'changed in foreach': "variable '{0}' modified during 'foreach' iteration",
  'index type': 'index {1} type mismatch ({0})',
  'delete operand': 'invalid operand of delete expression',
  'alias circle': 'the alias {0} leads to itself',
  unassigned: "never-assigned local variable '{0}'{1}",
  'unassigned global': "never-assigned global variable '{0}'{1}",
  'void value': 'function {0} returns nothing',
} as const;
export type SemanticErrorKind = keyof typeof SEMANTIC_ERRORS;

/** An error, or a part of one: SystemTap says several of a chain. */
export interface SemanticFault {
  readonly message: string;
  /** The token, with its kind: `identifier 'x'`; absent: it has no place. */
  readonly token?: string;
  readonly place?: StapPlace;
}

/** A script is refused. The faults are told in order; the last ones say more of the first. */
export class SemanticError extends Error {
  readonly faults: readonly SemanticFault[];

  constructor(...faults: readonly SemanticFault[]) {
    super(faults[0]!.message);
    this.faults = faults;
  }
}

/** One fault of the table. */
export function fault(kind: SemanticErrorKind, values: readonly (string | number)[] = [], at?: ScriptToken): SemanticFault {
  const message = SEMANTIC_ERRORS[kind].replace(/\{(\d)\}/g, (_all, index: string) => String(values[Number(index)] ?? ''));
  return at === undefined ? { message } : { message, token: at.token, place: at.place };
}

/** A token that errors show. */
export interface ScriptToken {
  readonly token: string;
  readonly place: StapPlace;
}

export function refuse(kind: SemanticErrorKind, values: readonly (string | number)[], at?: ScriptToken): never {
  throw new SemanticError(fault(kind, values, at));
}

/** So many similar names are shown. */
const MOST_SIMILAR = 5;

/** ` (similar: a, b)`: the names that differ least from one, or ''. */
export function similarTo(name: string, names: Iterable<string>, words = ' (similar: '): string {
  const found = Array.from(new Set(names), (one) => ({ one, distance: editDistance(name, one) }))
    .sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
    .slice(0, MOST_SIMILAR)
    .map(({ one }) => one);
  return found.length === 0 ? '' : `${words}${found.join(', ')})`;
}
