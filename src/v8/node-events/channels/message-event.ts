import { types } from 'node:util';
import { s32, string, type TraceField } from '../../../tracepoint/fields.js';
import { getPrototypeOf, reflectApply, slice, uncurry } from '../../realm/primordials.js';
import { ABSENT, ACCESSOR, ownProperty } from '../../tracers/own-property.js';
import type { NodeEvent } from '../node-event-system.js';
import type { MessageFields } from './known-channels.js';
import { OBJECT, OBJECT_FIELD } from './message-layout.js';

const { isProxy } = types;

type Message = readonly [message: unknown];

/** How far up the prototype chain a property is looked for. */
const MAX_PROTOTYPES = 8;

const { getOwnPropertySymbols } = Object;
const upperCase = uncurry(String.prototype.toUpperCase);
const descriptionOf = Object.getOwnPropertyDescriptor(Symbol.prototype, 'description')!.get!;

/** What an accessor of Node's own returns: it keeps `path` under a symbol `kPath` of the object. */
function keptUnderSymbol(object: object, key: string): unknown {
  const symbols = getOwnPropertySymbols(object);
  const wanted = `k${upperCase(key[0]!)}${slice(key, 1)}`;
  for (let i = 0; i < symbols.length; i++) {
    const description = reflectApply(descriptionOf, symbols[i]!, []) as string | undefined;
    if (description !== wanted) continue;
    const value = ownProperty(object, symbols[i] as never);
    return value === ACCESSOR ? undefined : value;
  }
  return undefined;
}

/** A data property, own or inherited; undefined for an accessor that is not Node's, and for what stands behind a Proxy. */
function dataProperty(holder: unknown, key: string): unknown {
  let object = holder;
  for (let i = 0; i < MAX_PROTOTYPES; i++) {
    if (((typeof object !== 'object' || object === null) && typeof object !== 'function') || isProxy(object)) return undefined;
    const value = ownProperty(object, key);
    if (value === ACCESSOR) return keptUnderSymbol(holder as object, key);
    if (value !== ABSENT) return value;
    object = getPrototypeOf(object);
  }
  return undefined;
}

/** A property of a property of a value, and so on. Runs nothing of the program. */
export function dataAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (let i = 0; i < path.length; i++) found = dataProperty(found, path[i]!);
  return found;
}

/** The event of a channel whose messages have these fields. */
export function messageEvent(fields: MessageFields): NodeEvent<Message> {
  const entries = Object.entries(fields);
  if (entries.length === 0) {
    const msg = string((message: unknown) => message as string);
    return { args: ['message'], fields: { [OBJECT]: OBJECT_FIELD, msg }, print: '"%s", __get_str(msg)' };
  }
  const format = entries.map(([name, { type }]) => `${name}=${type === 'int' ? '%d' : '%s'}`).join(' ');
  const values = entries.map(([name, { type }]) => (type === 'int' ? `REC->${name}` : `__get_str(${name})`));
  return {
    args: ['message'],
    fields: {
      [OBJECT]: OBJECT_FIELD,
      ...Object.fromEntries(
        entries.map(([name, { type, path }]): [string, TraceField<Message>] => [
          name,
          type === 'int'
            ? s32((message) => dataAt(message, path) as number)
            : string((message) => dataAt(message, path) as string),
        ]),
      ),
    },
    print: `"${format}", ${values.join(', ')}`,
  };
}
