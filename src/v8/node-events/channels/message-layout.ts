import { types } from 'node:util';
import { bool, s64, string, type TraceField, u32 } from '../../../tracepoint/fields.js';
import { textOf } from '../../events/slot-values.js';
import { nativeOwnKeys, SafeMap, slice, uncurry } from '../../realm/primordials.js';
import { ABSENT, ACCESSOR, ownProperty } from '../../tracers/own-property.js';
import { idOf } from '../boundary/object-ids.js';
import type { NodeEvent } from '../node-event-system.js';
import { eventNameOf } from './event-name.js';

const { isProxy } = types;
const { isArray } = Array;
const { isInteger } = Number;
const isEnumerable = uncurry(Object.prototype.propertyIsEnumerable) as (object: object, key: string) => boolean;

type Message = readonly [message: unknown];

/** What a field keeps of a property. */
type Kind = 'integer' | 'boolean' | 'text';

/** A property of messages as a field of their event. */
interface MessageProperty {
  /** The field's. */
  readonly name: string;
  /** The property's. */
  readonly key: string;
  readonly kind: Kind;
}

/** The fields of a channel's messages; none: the whole message is the one text `msg`. */
export type MessageLayout = readonly MessageProperty[];

/** More would only be an object that the program uses as a table. */
const MOST_FIELDS = 24;
/** The field with the number of the message, if that is an object: messages about one thing may be one object. */
export const OBJECT = 'object';
/** The field that says how a message differs from the first. */
const MISFIT = 'misfit';
/** The field of the whole message. */
const WHOLE = 'msg';
/** Characters that are shown of a value that has no field. */
const MOST_SHOWN = 40;
/** What filters and histograms find under these names is the record's head. */
const HEAD = /^(common_|comm$|COMM$|cpu$|CPU$)/;
const test = uncurry(RegExp.prototype.test) as (pattern: RegExp, text: string) => boolean;

const KIND_OF_TYPE: Readonly<Record<string, Kind>> = { s64: 'integer', bool: 'boolean', char: 'text' };

/** An object whose own properties can be looked at. */
const isPlain = (message: unknown): message is object =>
  typeof message === 'object' && message !== null && !isProxy(message) && !isArray(message);

const isLong = (value: unknown): boolean => typeof value === 'bigint' || (typeof value === 'number' && isInteger(value));

function kindOf(value: unknown): Kind {
  if (isLong(value)) return 'integer';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

/** The keys of an object's own enumerable properties that are texts. Runs nothing of the program. */
function keysOf(message: object): string[] {
  const keys: string[] = [];
  const all = nativeOwnKeys(message);
  for (let i = 0; i < all.length; i++) {
    const key = all[i]!;
    if (typeof key === 'string' && isEnumerable(message, key)) keys[keys.length] = key;
  }
  return keys;
}

/** The fields of a channel, from its first message: its own data properties. */
export function layoutOf(message: unknown): MessageLayout {
  const layout: MessageProperty[] = [];
  if (!isPlain(message)) return layout;
  const names = new SafeMap<string, true>();
  names.set(OBJECT, true);
  names.set(MISFIT, true);
  const keys = keysOf(message);
  for (let i = 0; i < keys.length && layout.length < MOST_FIELDS; i++) {
    const key = keys[i]!;
    const value = ownProperty(message, key);
    if (value === ACCESSOR) continue;
    const plain = eventNameOf(key);
    const wanted = test(HEAD, plain) ? `_${plain}` : plain;
    let name = wanted;
    for (let n = 2; names.has(name); n++) name = `${wanted}_${n}`;
    names.set(name, true);
    layout[layout.length] = { name, key, kind: kindOf(value) };
  }
  return layout;
}

/**
 * The layout of an event as the process has it: the first thread with a message has made it. `known`: this thread's own, which
 * has the properties' names.
 */
export function layoutFrom(specs: Readonly<Record<string, { readonly type: string }>>, known: MessageLayout): MessageLayout {
  const layout: MessageProperty[] = [];
  for (const [name, { type }] of Object.entries(specs)) {
    if (name === OBJECT || name === MISFIT || name === WHOLE) continue;
    const key = known.find((one) => one.name === name)?.key ?? name;
    layout.push({ name, key, kind: KIND_OF_TYPE[type] ?? 'text' });
  }
  return layout;
}

/** The value of a message's property, ABSENT or ACCESSOR. */
const propertyOf = (message: unknown, key: string): unknown => (isPlain(message) ? ownProperty(message, key) : ABSENT);

function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > MOST_SHOWN ? `${slice(text, 0, MOST_SHOWN)}…` : text;
}

/** How a message differs from the first, as ` (misfit: id is "x", total missing, note added)`; nothing if it does not. */
function misfitOf(layout: MessageLayout, message: unknown): string {
  if (!isPlain(message)) return ` (misfit: message is ${shown(message)})`;
  let text = '';
  const say = (what: string): void => {
    text += `${text === '' ? ' (misfit: ' : ', '}${what}`;
  };
  let found = 0;
  for (let i = 0; i < layout.length; i++) {
    const { name, key, kind } = layout[i]!;
    const value = ownProperty(message, key);
    if (value === ABSENT) {
      say(`${name} missing`);
      continue;
    }
    found++;
    if (value === ACCESSOR) say(`${name} is a getter`);
    else if (kind !== 'text' && kindOf(value) !== kind) say(`${name} is ${shown(value)}`);
  }
  if (layout.length < MOST_FIELDS) {
    const keys = keysOf(message);
    for (let i = 0; i < keys.length && keys.length > found; i++) {
      const key = keys[i]!;
      if (ownProperty(message, key) !== ACCESSOR && !layout.some((one) => one.key === key)) say(`${shown(key)} added`);
    }
  }
  return text === '' ? '' : `${text})`;
}

const FIELDS: Readonly<Record<Kind, (get: (message: unknown) => unknown) => TraceField<Message>>> = {
  integer: (get) => s64(get as () => number),
  boolean: (get) => bool(get as () => boolean),
  text: (get) => string(get as () => string),
};
const FORMATS = { integer: '%lld', boolean: '%d', text: '%s' } as const satisfies Record<Kind, string>;

/** The number of a message; 0: it is no object. It is no part of the event's text. */
export const OBJECT_FIELD: TraceField<Message> = u32((message) =>
  typeof message === 'object' || typeof message === 'function' ? idOf(message) : 0,
);

/** The event of messages with this layout. */
export function layoutEvent(layout: MessageLayout): NodeEvent<Message> {
  const args = ['message'] as const;
  if (layout.length === 0) {
    const whole = string((message: unknown) => message as string);
    return { args, fields: { [OBJECT]: OBJECT_FIELD, [WHOLE]: whole }, print: `"%s", __get_str(${WHOLE})` };
  }
  const fields: Record<string, TraceField<Message>> = { [OBJECT]: OBJECT_FIELD };
  for (const { name, key, kind } of layout) {
    fields[name] = FIELDS[kind]((message) => {
      const value = propertyOf(message, key);
      return value === ABSENT || value === ACCESSOR ? undefined : value;
    });
  }
  fields[MISFIT] = string((message) => misfitOf(layout, message));
  const format = layout.map(({ name, kind }) => `${name}=${FORMATS[kind]}`).join(' ');
  const values = layout.map(({ name, kind }) => (kind === 'text' ? `__get_str(${name})` : `REC->${name}`));
  return { args, fields, print: `"${format}%s", ${[...values, `__get_str(${MISFIT})`].join(', ')}` };
}
