import { declaredTracepoints, type EventParts } from './declared.js';
import { defineTrace } from './define-trace.js';
import { failure } from './failure.js';
import type { TraceField } from './fields.js';
import type { Tracepoint } from './tracepoint.js';

/** A user event as its description has it. */
export interface UserEventParts {
  readonly name: string;
  /** What a record has, in this order: values by their place among those of a call. */
  readonly fields: Readonly<Record<string, TraceField<readonly unknown[]>>>;
  readonly print: string;
}

/** The types of one value, with their conversions in `print`. `long` is none of them: its size differs between machines. */
const FORMATS: Readonly<Record<string, string>> = {
  s64: '%lld',
  u64: '%llu',
  s32: '%d',
  u32: '%u',
  int: '%d',
  'unsigned int': '%u',
  s16: '%d',
  u16: '%u',
  short: '%d',
  'unsigned short': '%u',
  s8: '%d',
  u8: '%u',
  char: '%d',
  'unsigned char': '%u',
};

/** The most bytes of a text of fixed size (MAX_FIELD_ARRAY_SIZE). */
const MAX_ARRAY_BYTES = 1024;

const NAME = /^[A-Za-z_]\w*$/;
/** A type of one word, or one that the words in front belong to. */
const FIELD = /^ *(?<type>(?:(?:unsigned|__data_loc) )?[^ ]+) (?<name>[^ ]+)$/;

interface FieldKind {
  readonly type: string;
  readonly shape: TraceField['shape'];
  readonly count: number;
  readonly format: string;
  readonly value: (name: string) => string;
}

const ofRecord = (name: string): string => `REC->${name}`;

function kindOf(type: string): FieldKind {
  if (Object.hasOwn(FORMATS, type)) return { type, shape: 'one', count: 1, format: FORMATS[type]!, value: ofRecord };
  if (type === '__data_loc char[]')
    return { type: 'char', shape: 'dynamic', count: 0, format: '%s', value: (name) => `__get_str(${name})` };
  const size = /^char\[(\d+)\]$/.exec(type)?.[1];
  const count = Number(size ?? 0);
  if (size === undefined) throw failure('EINVAL', `there is no type ${type}`);
  if (count === 0 || count > MAX_ARRAY_BYTES) throw failure('EINVAL', `a text has 1 to ${MAX_ARRAY_BYTES} bytes, not ${size}`);
  return { type: 'char', shape: 'array', count, format: '%s', value: ofRecord };
}

/**
 * Parses the description of a user event, `NAME[:FLAGS] [TYPE FIELD[;TYPE FIELD]...]` (Documentation/trace/user_events.rst).
 * Throws an Error with code EINVAL.
 */
export function parseUserEvent(description: string): UserEventParts {
  const space = description.indexOf(' ');
  const head = space < 0 ? description : description.slice(0, space);
  const name = head.split(':')[0]!;
  if (!NAME.test(name)) throw failure('EINVAL', `${JSON.stringify(name)} is not a name of letters, digits and _`);
  const fields: Record<string, TraceField<readonly unknown[]>> = {};
  const formats: string[] = [];
  const values: string[] = [];
  for (const text of space < 0 ? [] : description.slice(space + 1).split(';')) {
    if (/^ *$/.test(text)) continue;
    const { type, name: field } = FIELD.exec(text)?.groups ?? {};
    if (type === undefined || field === undefined) throw failure('EINVAL', `a field is TYPE NAME, not ${JSON.stringify(text)}`);
    if (!NAME.test(field)) throw failure('EINVAL', `${JSON.stringify(field)} is not a name of letters, digits and _`);
    if (Object.hasOwn(fields, field)) throw failure('EINVAL', `there are two fields ${field}`);
    const { format, value, ...kind } = kindOf(type);
    const place = values.length;
    fields[field] = { ...kind, get: (...args) => args[place] };
    formats.push(`${field}=${format}`);
    values.push(`, ${value(field)}`);
  }
  return { name, fields, print: `"${formats.join(' ')}"${values.join('')}` };
}

/** The system of events that are described as text. */
const SYSTEM = 'user_events';

/** A user event: called with the values of its fields, in their order. */
export type UserEvent = Tracepoint<readonly unknown[]>;

const shapeOf = ({ fields }: Pick<EventParts, 'fields'>): string =>
  JSON.stringify(Object.entries(fields).map(([name, { type, shape, count }]) => [name, type, shape, count]));

/**
 * Registers an event that a text describes, such as `order u32 id; char[20] customer`: `NAME [TYPE FIELD[;TYPE FIELD]...]`. With
 * fentry loaded it is events/user_events/NAME. The kernel's user_events (Documentation/trace/user_events.rst).
 * @returns writes a record while somebody listens. The same event if it is registered already
 * @throws Error with code EINVAL for a description that is none, EADDRINUSE if there is an event of that name with other fields
 */
export function registerUserEvent(description: string): UserEvent {
  const { name, ...parts } = parseUserEvent(description);
  const known = declaredTracepoints().find(({ tracepoint }) => tracepoint.system === SYSTEM && tracepoint.event === name);
  if (known === undefined) {
    const args = Object.keys(parts.fields).map((_field, i) => `value${i}`);
    return defineTrace<readonly unknown[]>(SYSTEM, name, { args, ...parts } as { readonly args: readonly string[] });
  }
  if (known.parts === undefined || shapeOf(known.parts) !== shapeOf(parts as EventParts))
    throw failure('EADDRINUSE', `there is a user event ${name} with other fields`);
  return known.tracepoint as unknown as UserEvent;
}
