import type { SyntheticEvent } from '../synthetic/synthetic-event.js';
import type { HistAttributes } from './hist-attributes.js';
import type { HistErrors } from './hist-errors.js';
import { type HistEvent, type HistEventField, isSameField } from './hist-event.js';

/** What a hist field is, and how it is shown (enum hist_field_flags). Two triggers are the same only if these are. */
export const FIELD = {
  HITCOUNT: 1 << 0,
  KEY: 1 << 1,
  STRING: 1 << 2,
  HEX: 1 << 3,
  SYM: 1 << 4,
  SYM_OFFSET: 1 << 5,
  EXECNAME: 1 << 6,
  SYSCALL: 1 << 7,
  STACKTRACE: 1 << 8,
  LOG2: 1 << 9,
  TIMESTAMP: 1 << 10,
  TIMESTAMP_USECS: 1 << 11,
  VAR: 1 << 12,
  EXPR: 1 << 13,
  VAR_REF: 1 << 14,
  CPU: 1 << 15,
  ALIAS: 1 << 16,
  BUCKET: 1 << 17,
  CONST: 1 << 18,
  PERCENT: 1 << 19,
  GRAPH: 1 << 20,
} as const;

export type HistOperator = '+' | '-' | '*' | '/' | 'minus';

/** Bytes of a text as a key or a variable (MAX_FILTER_STR_VAL, STR_VAR_LEN_MAX), with the zero byte at its end. */
export const TEXT_BYTES = 256;
/** Addresses of a stack that is a key (HIST_STACKTRACE_DEPTH). */
export const STACK_DEPTH = 16;

/** A key, a value, a variable, or a part of one of their expressions (struct hist_field). */
export interface HistField {
  flags: number;
  /** The trigger that it belongs to; of a reference, the one that has the variable. */
  readonly owner: HistData;
  field: HistEventField | undefined;
  /** Bytes; of a key a multiple of 8. */
  size: number;
  isSigned: boolean;
  /** The C type; a synthetic event's field must have the same. */
  type: string | undefined;
  operands: HistField[];
  operator: HistOperator | undefined;
  /** The name of a variable. */
  varName: string | undefined;
  /** The variable's place in an entry; of a reference, that of the variable it refers to. */
  varIndex: number;
  /**
   * The text of an expression, the name of the variable that is referred to, or the word for the cpu unless it is `common_cpu`.
   */
  name: string | undefined;
  /** The event that a reference names. */
  system: string | undefined;
  eventName: string | undefined;
  /** A reference that takes the value: the variable is then unset. */
  readOnce: boolean;
  /** Where a key begins, in bytes. */
  offset: number;
  buckets: bigint;
  constant: bigint;
}

export const newField = (owner: HistData, flags: number, varName?: string): HistField => ({
  flags,
  owner,
  field: undefined,
  size: 0,
  isSigned: false,
  type: undefined,
  operands: [],
  operator: undefined,
  varName,
  varIndex: -1,
  name: undefined,
  system: undefined,
  eventName: undefined,
  readOnce: false,
  offset: 0,
  buckets: 0n,
  constant: 0n,
});

export const has = ({ flags }: HistField, wanted: number): boolean => (flags & wanted) !== 0;

/** Where a sort looks: a place among hitcount, values and keys, without the variables. */
export interface SortKey {
  readonly index: number;
  readonly descending: boolean;
}

export type HistHandler = 'onmatch' | 'onmax' | 'onchange';
export type ActionKind = 'save' | 'trace' | 'snapshot';

/** What a trigger does when it is hit (struct action_data). */
export interface HistAction {
  readonly handler: HistHandler;
  readonly kind: ActionKind;
  /** The word before the parenthesis: `trace`, `save`, the name of a synthetic event. */
  readonly word: string;
  /** The event of onmatch. */
  readonly matchSystem: string;
  readonly matchEvent: string;
  /** The variable of onmax and onchange, with its `$`. */
  readonly variable: string;
  /** The synthetic event, where the word is `trace`. */
  readonly synthName: string | undefined;
  readonly params: readonly string[];
  /** The variable that is followed, and the one that holds its maximum or last value. */
  followed: HistField | undefined;
  track: HistField | undefined;
  /** What a synthetic event gets: references, one for each field. */
  values: HistField[];
  synth: SyntheticEvent | undefined;
}

/** A variable that is made of a field of the event, for an action (struct field_var). */
export interface FieldVariable {
  readonly variable: HistField;
  readonly value: HistField;
}

/** What a parser may ask about other events and triggers of the instance. */
export interface HistScope {
  findEvent(system: string, name: string): HistEvent | undefined;
  findSynthetic(name: string): SyntheticEvent | undefined;
  /** The triggers of an event, oldest first. */
  triggersOf(event: HistEvent): readonly HistData[];
  /** Triggers with variables, youngest first. */
  withVariables(): readonly HistData[];
  /** Creates a trigger on another event, for an action of the trigger that is being created. */
  createNested(event: HistEvent, text: string, errors: HistErrors): void;
  /** The filter of a trigger of an event. */
  filterOf(data: HistData): string | undefined;
  /** Reserves the instance's snapshot for the trigger. @throws TraceError EBUSY while another one has it */
  reserveSnapshot(data: HistData): void;
}

/** A variable as it was written: `name=text`. */
export interface Definition {
  readonly name: string;
  text: string;
}

/** A hist trigger that was parsed (struct hist_trigger_data). */
export interface HistData {
  readonly event: HistEvent;
  readonly attributes: HistAttributes;
  readonly errors: HistErrors;
  readonly scope: HistScope;
  /** The command removes a trigger: its variables exist, and that is no error. */
  readonly isRemoval: boolean;
  /** The variables, while it is parsed. */
  definitions: readonly Definition[];
  /** Hitcount, other values, variables. */
  readonly values: HistField[];
  readonly keys: HistField[];
  sortKeys: readonly SortKey[];
  /** Bytes of its keys. */
  keySize: number;
  /** Variables that an entry holds: declared ones, and those of actions. */
  variables: number;
  readonly references: HistField[];
  readonly actions: HistAction[];
  readonly fieldVariables: FieldVariable[];
  readonly saved: FieldVariable[];
  /** Triggers on other events that its actions made: the event and the command. */
  readonly nested: { readonly event: HistEvent; readonly text: string }[];
  /** Whether the histogram reads common_timestamp, of which some may be in microseconds. */
  usesTimestamps: boolean;
  inMicroseconds: boolean;
}

const isSame = (a: HistField, b: HistField): boolean =>
  a.flags === b.flags &&
  isSameField(a.field, b.field) &&
  a.offset === b.offset &&
  a.size === b.size &&
  a.isSigned === b.isSigned &&
  a.varName === b.varName;

const isSameAction = (a: HistAction, b: HistAction): boolean =>
  a.handler === b.handler &&
  a.kind === b.kind &&
  a.params.length === b.params.length &&
  a.params.every((param, i) => param === b.params[i]) &&
  (a.synthName ?? a.word) === (b.synthName ?? b.word) &&
  a.matchSystem === b.matchSystem &&
  a.matchEvent === b.matchEvent &&
  a.variable === b.variable;

/**
 * Whether two hist triggers are the same but for their filters (hist_trigger_match): the same fields with the same modifiers in
 * the same order, sorted alike, with the same actions. The size of the table and the text of expressions do not count.
 */
export function isSameHist(a: HistData, b: HistData): boolean {
  if (a.values.length !== b.values.length || a.keys.length !== b.keys.length) return false;
  if (a.sortKeys.length !== b.sortKeys.length || a.actions.length !== b.actions.length) return false;
  const [fields, others] = [
    [...a.values, ...a.keys],
    [...b.values, ...b.keys],
  ];
  return (
    fields.every((field, i) => isSame(field, others[i]!)) &&
    a.sortKeys.every(({ index, descending }, i) => index === b.sortKeys[i]!.index && descending === b.sortKeys[i]!.descending) &&
    a.actions.every((action, i) => isSameAction(action, b.actions[i]!))
  );
}
