/**
 * Key of a property that marks an object of Node's as fentry's own. It is registered, because the bundle of Node's own events is
 * not the agent's.
 */
export const HIDDEN = Symbol.for('fentry.hidden');

/** Whether Node's own events leave the object out. It is not a Proxy. */
export const isHidden = (object: object): boolean => Object.getOwnPropertyDescriptor(object, HIDDEN) !== undefined;
