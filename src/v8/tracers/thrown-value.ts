import { typesIsProxy as isProxy } from '../../base/primordials.js';
import { getPrototypeOf } from '../realm/primordials.js';
import { ownProperty, ownString } from './own-property.js';

/** How far up the prototype chain a class's name is looked for. */
const MAX_PROTOTYPES = 8;

/** The name of what was thrown: its own `name`, else that of its class; of other values their type. */
export function typeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  let object: object | null = value;
  for (let i = 0; i < MAX_PROTOTYPES && object !== null && !isProxy(object); i++) {
    const name = ownString(object, 'name');
    if (name !== '' && (i === 0 || name !== 'Error')) return name;
    const maker = i === 0 ? undefined : ownProperty(object, 'constructor');
    if (typeof maker === 'function' && !isProxy(maker)) return ownString(maker, 'name') || 'Error';
    object = getPrototypeOf(object) as object | null;
  }
  return 'object';
}

/** An error's message; other values as they are, for the field to render. */
export function messageOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isProxy(value)) return value;
  const message = ownProperty(value, 'message');
  return typeof message === 'string' ? message : value;
}
