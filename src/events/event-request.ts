import { compileGlob } from '../base/glob.js';
import { isMeant } from './costly-events.js';
import type { EventName } from './set-event-word.js';

/** What is asked of the events that a pattern names, now or when they come: `-e`, `trace_event`, `trace_trigger`. */
export interface EventRequest {
  /** `SYSTEM:EVENT` with globs in both, either of which may be missing; or a glob of a system or of an event. */
  readonly pattern: string;
  /** Switched on or off; undefined: left as they are. */
  readonly enable?: boolean;
  readonly filter?: string;
  readonly triggers?: readonly string[];
}

/** A write into a control file of an instance, behind what it has. */
export interface EventWrite {
  readonly path: string;
  readonly text: string;
}

/** Tests which events a pattern names: as words of `set_event` do, and with globs, as `trace-cmd record -e` takes them. */
export function eventPattern(pattern: string): (event: EventName) => boolean {
  const colon = pattern.indexOf(':');
  if (colon < 0) {
    const { test } = compileGlob(pattern);
    return ({ system, name }) => test(system) || test(name);
  }
  const isSystem = compileGlob(pattern.slice(0, colon) || '*').test;
  const isName = compileGlob(pattern.slice(colon + 1) || '*').test;
  return ({ system, name }) => isSystem(system) && isName(name);
}

/** Tests which events a request means: those that its pattern names, and may enable. */
export function requestedEvents({ pattern, enable }: EventRequest): (event: EventName) => boolean {
  const isNamed = eventPattern(pattern);
  const word = pattern.slice(pattern.indexOf(':') + 1);
  return (event) => isNamed(event) && (enable === false || isMeant(event, word));
}

/** What a request writes for an event that it names: it is filtered before it is on. */
export function eventWrites({ filter, triggers = [], enable }: EventRequest, { system, name }: EventName): readonly EventWrite[] {
  const folder = `events/${system}/${name}`;
  return [
    ...(filter === undefined ? [] : [{ path: `${folder}/filter`, text: filter }]),
    ...triggers.map((text) => ({ path: `${folder}/trigger`, text })),
    ...(enable === undefined ? [] : [{ path: `${folder}/enable`, text: enable ? '1' : '0' }]),
  ];
}

/** Requests as one word without blanks, commas and quotes, for the environment. */
export const encodeRequests = (requests: readonly EventRequest[]): string => encodeURIComponent(JSON.stringify(requests));

/** Reads it back; undefined if it is none. */
export function decodeRequests(text: string): readonly EventRequest[] | undefined {
  try {
    const value: unknown = JSON.parse(decodeURIComponent(text));
    return Array.isArray(value) && value.every(isRequest) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';

function isRequest(value: unknown): value is EventRequest {
  const { pattern, enable, filter, triggers } = (value ?? {}) as Partial<Record<keyof EventRequest, unknown>>;
  return (
    isText(pattern) &&
    (enable === undefined || typeof enable === 'boolean') &&
    (filter === undefined || isText(filter)) &&
    (triggers === undefined || (Array.isArray(triggers) && triggers.every(isText)))
  );
}
