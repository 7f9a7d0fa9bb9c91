/**
 * Key of a property that marks an object of Node's as fentry's own. It is registered, because the bundle of Node's own events is
 * not the agent's.
 */
export const OWN = Symbol.for('fentry.own');

/** Whether Node's own events leave the object out. It is not a Proxy. */
export const isOwnObject = (object: object): boolean => Object.getOwnPropertyDescriptor(object, OWN) !== undefined;
