import type { Long } from '../c-types.js';
import { FIELD, type HistData, type HistField, type HistOperator, has, STACK_DEPTH, TEXT_BYTES } from './hist-data.js';
import type { HistEventField } from './hist-event.js';
import { isText, variableOf } from './hist-field.js';
import type { HistTrigger } from './hist-trigger.js';
import { toLong } from './long.js';
import type { MapShape } from './tracing-map.js';

/**
 * What a slot holds: an integer of at most 32 bits, without a sign (`uint`) or with one; a number or bigint; a text. `none`: an
 * array that the kernel would read as a number; it counts as 0.
 */
export type SlotKind = 'uint' | 'int' | 'long' | 'text' | 'none';

/** A value that an update computes. `slot` is a field of the event, or one that every event has (`common_pid`). */
export type PlanValue =
  | { readonly op: 'slot'; readonly name: string; readonly kind: SlotKind }
  | { readonly op: 'constant'; readonly value: Long }
  | { readonly op: 'timestamp'; readonly inMicroseconds: boolean }
  | { readonly op: 'cpu' }
  | { readonly op: 'comm' }
  | { readonly op: 'log2'; readonly of: PlanValue }
  | { readonly op: 'bucket'; readonly of: PlanValue; readonly size: Long }
  | { readonly op: 'negate'; readonly of: PlanValue }
  | {
      readonly op: Exclude<HistOperator, 'minus'>;
      readonly left: PlanValue;
      readonly right: PlanValue;
      /** The divisor is a constant. */
      readonly isConstant: boolean;
    }
  /** The value of reference `index`. */
  | { readonly op: 'reference'; readonly index: number };

/** A part of the key, in words from its beginning. */
export type PlanKey =
  | { readonly kind: 'number'; readonly at: number; readonly value: PlanValue }
  | { readonly kind: 'text'; readonly at: number; readonly words: number; readonly room: number; readonly value: PlanValue }
  | { readonly kind: 'stack'; readonly at: number; readonly depth: number };

/** A variable that is set; a text is kept in text `text` of the entry, of at most `room` bytes. */
export interface PlanVariable {
  readonly index: number;
  readonly value: PlanValue;
  readonly text: number | undefined;
  readonly room: number;
}

/** A variable of an entry that has the same key: of another table, or what this update has just computed. */
export type PlanReference =
  | {
      readonly kind: 'other';
      /** Index of the table in `maps`. */
      readonly map: number;
      readonly index: number;
      /** The text of the entry that it is, if it is one. */
      readonly text: number | undefined;
      /** The variable is unset when it was read. */
      readonly once: boolean;
    }
  | { readonly kind: 'own'; readonly value: PlanValue; readonly isText: boolean };

/** What is done when the value is the greatest, or another than before. */
export interface PlanTracking {
  readonly isMax: boolean;
  /** The reference that is followed. */
  readonly reference: number;
  /** The variable that holds the maximum or the last value. */
  readonly variable: number;
}

export interface PlanAction {
  readonly kind: 'save' | 'trace' | 'snapshot';
  /** Undefined for onmatch: always. */
  readonly tracking: PlanTracking | undefined;
  /** `trace`: the synthetic event, and the references whose values it gets. */
  readonly event: string;
  readonly values: readonly number[];
  /** `save` */
  readonly saved: readonly PlanVariable[];
}

/** What a thread does when a hist trigger is hit: plain data, to be sent by postMessage. */
export interface HistPlan {
  /** The trigger's number. */
  readonly id: number;
  readonly keys: readonly PlanKey[];
  readonly keyWords: number;
  /** A new entry keeps the task's comm. */
  readonly keepsComm: boolean;
  /** Values that are added to the sums from the second on; the first is the hitcount. */
  readonly sums: readonly PlanValue[];
  readonly variables: readonly PlanVariable[];
  readonly references: readonly PlanReference[];
  readonly actions: readonly PlanAction[];
  /** The own table, then those of references. */
  readonly maps: readonly SharedArrayBuffer[];
  /** One word: 1 while the trigger is paused. */
  readonly state: SharedArrayBuffer;
}

/** Texts of an entry: first those that are saved, then variables. */
const savedTexts = ({ saved }: HistData): number => saved.filter(({ value }) => isText(value)).length;

function textIndex(data: HistData, variable: HistField): number | undefined {
  if (!isText(variable)) return undefined;
  const texts = data.values.filter((field) => has(field, FIELD.VAR) && isText(field));
  return savedTexts(data) + texts.indexOf(variable);
}

/** What the entries of a trigger's table hold. */
export const shapeOf = (data: HistData): MapShape => ({
  bits: data.attributes.mapBits,
  keyWords: data.keySize / 4,
  sums: data.values.filter((field) => !has(field, FIELD.VAR)).length,
  variables: data.variables,
  texts: savedTexts(data) + data.values.filter((field) => has(field, FIELD.VAR) && isText(field)).length,
  hasComm: [...data.values, ...data.keys].some((field) => has(field, FIELD.EXECNAME)),
});

function slotKind({ type, size, isSigned, text }: HistEventField): SlotKind {
  if (text === 'fixed' || text === 'dynamic') return 'text';
  if (type.includes('[') || type.includes('__data_loc')) return 'none';
  if (size === 8) return 'long';
  return isSigned ? 'int' : 'uint';
}

/** Bytes of a text as the kernel cuts it, without the zero byte: of a key, and of a variable. */
const keyRoom = ({ field, size }: HistField): number => Math.min(field?.text === 'fixed' ? field.size : TEXT_BYTES, size - 1);
const variableRoom = ({ size }: HistField): number => Math.max(0, Math.min(size, TEXT_BYTES) - 1);

/** Plans the values of one trigger. */
class Planner {
  readonly #data: HistData;

  constructor(data: HistData) {
    this.#data = data;
  }

  value(field: HistField): PlanValue {
    const [left, right] = field.operands;
    if (has(field, FIELD.VAR_REF)) return { op: 'reference', index: this.#data.references.indexOf(field) };
    if (has(field, FIELD.ALIAS)) return this.value(left!);
    if (has(field, FIELD.CONST)) return { op: 'constant', value: toLong(field.constant) };
    if (has(field, FIELD.LOG2)) return { op: 'log2', of: this.value(left!) };
    if (has(field, FIELD.BUCKET)) return { op: 'bucket', of: this.value(left!), size: toLong(field.buckets) };
    if (has(field, FIELD.EXPR)) return this.#operation(field, left!, right);
    if (has(field, FIELD.HITCOUNT)) return { op: 'constant', value: 1 };
    if (has(field, FIELD.TIMESTAMP)) return { op: 'timestamp', inMicroseconds: this.#data.inMicroseconds };
    if (has(field, FIELD.CPU)) return { op: 'cpu' };
    if (has(field, FIELD.EXECNAME) && isText(field)) return { op: 'comm' };
    return { op: 'slot', name: field.field!.name, kind: slotKind(field.field!) };
  }

  #operation({ operator }: HistField, left: HistField, right: HistField | undefined): PlanValue {
    if (operator === 'minus' || right === undefined) return { op: 'negate', of: this.value(left) };
    const isConstant = right.constant !== 0n;
    // A reference to a constant is one, which the kernel has put into the divisor.
    const divisor: PlanValue =
      operator === '/' && isConstant ? { op: 'constant', value: toLong(right.constant) } : this.value(right);
    return { op: operator ?? '+', left: this.value(left), right: divisor, isConstant };
  }

  key(field: HistField): PlanKey {
    const at = field.offset / 4;
    if (has(field, FIELD.STACKTRACE)) return { kind: 'stack', at, depth: STACK_DEPTH };
    if (!isText(field)) return { kind: 'number', at, value: this.value(field) };
    return { kind: 'text', at, words: field.size / 4, room: keyRoom(field), value: this.value(field) };
  }

  variable(field: HistField): PlanVariable {
    return { index: field.varIndex, value: this.value(field), text: textIndex(this.#data, field), room: variableRoom(field) };
  }

  saved(): PlanVariable[] {
    let texts = 0;
    return this.#data.saved.map(({ variable, value }) => ({
      index: variable.varIndex,
      value: this.value(value),
      text: isText(value) ? texts++ : undefined,
      room: variableRoom(value),
    }));
  }

  reference(field: HistField, maps: readonly SharedArrayBuffer[], mapOf: (data: HistData) => SharedArrayBuffer): PlanReference {
    const { owner, varIndex } = field;
    if (owner !== this.#data) {
      const variable = owner.values.find((value) => has(value, FIELD.VAR) && value.varIndex === varIndex)!;
      const text = textIndex(owner, variable);
      return { kind: 'other', map: maps.indexOf(mapOf(owner)), index: varIndex, text, once: field.readOnce };
    }
    const value = variableOf(field)!;
    return { kind: 'own', value: this.value(value), isText: isText(value) };
  }
}

/**
 * What threads do for a trigger.
 * @param mapOf the table of another trigger, by its data
 */
export function planOf(trigger: HistTrigger, mapOf: (data: HistData) => SharedArrayBuffer): HistPlan {
  const { data, map } = trigger;
  const planner = new Planner(data);
  const others = data.references.filter(({ owner }) => owner !== data).map(({ owner }) => mapOf(owner));
  const maps = [...new Set([map, ...others])];
  const saved = planner.saved();
  return {
    id: trigger.id,
    keys: data.keys.map((key) => planner.key(key)),
    keyWords: data.keySize / 4,
    keepsComm: shapeOf(data).hasComm,
    sums: data.values
      .filter((field) => !has(field, FIELD.VAR))
      .slice(1)
      .map((field) => planner.value(field)),
    variables: data.values.filter((field) => has(field, FIELD.VAR)).map((field) => planner.variable(field)),
    references: data.references.map((reference) => planner.reference(reference, maps, mapOf)),
    actions: data.actions.map((action) => ({
      kind: action.kind,
      tracking: action.followed && {
        isMax: action.handler === 'onmax',
        reference: data.references.indexOf(action.followed),
        variable: action.track!.varIndex,
      },
      event: action.synth?.name ?? '',
      values: action.values.map((value) => data.references.indexOf(value)),
      saved: action.kind === 'save' ? saved : [],
    })),
    maps,
    state: trigger.state,
  };
}
