import { getSystemErrorName } from 'node:util';
import { StringPrototypeToUpperCase } from '../../base/primordials.js';
import type { TraceField } from '../../tracepoint/fields.js';
import { string, u8, u16, u64 } from '../../tracepoint/fields.js';
import { defineProperty, getOwnPropertyDescriptor, reflectApply, slice, startsWith } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { nativeBinding } from './boundary/native-binding.js';
import { nextId } from './boundary/object-ids.js';
import { numberOf, ownValue } from './boundary/values.js';
import { type NodeEventSource, nodeEventSystem } from './node-event-system.js';

type LookupStart = [id: number, hostname: unknown, family: number];
type ServiceStart = [id: number, address: unknown, port: number];
type ResolveStart = [id: number, hostname: unknown, rrtype: string];
type End = [id: number, hostname: unknown, result: unknown, error: string, duration: number];
type DnsEvents = {
  lookup_start: LookupStart;
  lookup_end: End;
  service_start: ServiceStart;
  service_end: End;
  resolve_start: ResolveStart;
  resolve_end: End;
};

const end = {
  args: ['id', 'hostname', 'result', 'error', 'duration'],
  fields: {
    id: u64((id) => id),
    hostname: string((_id, hostname) => hostname as string),
    result: string((_id, _hostname, result) => result as string),
    error: string((_id, _hostname, _result, error) => error),
    duration: u64((_id, _hostname, _result, _error, duration) => duration),
  } satisfies Record<string, TraceField<End>>,
  print:
    '"id=%llu hostname=%s result=%s error=%s duration=%llu", REC->id, __get_str(hostname), __get_str(result), __get_str(error), REC->duration',
} as const;

/** Questions to the system's resolver (dns.lookup, dns.lookupService) and to name servers (dns.resolve and its kind). */
export const dns = nodeEventSystem<DnsEvents>('dns', {
  events: {
    lookup_start: {
      args: ['id', 'hostname', 'family'],
      fields: {
        id: u64((id) => id),
        hostname: string((_id, hostname) => hostname as string),
        family: u8((_id, _hostname, family) => family),
      } satisfies Record<string, TraceField<LookupStart>>,
      print: '"id=%llu hostname=%s family=%u", REC->id, __get_str(hostname), REC->family',
    },
    lookup_end: end,
    service_start: {
      args: ['id', 'address', 'port'],
      fields: {
        id: u64((id) => id),
        address: string((_id, address) => address as string),
        port: u16((_id, _address, port) => port),
      } satisfies Record<string, TraceField<ServiceStart>>,
      print: '"id=%llu address=%s port=%hu", REC->id, __get_str(address), REC->port',
    },
    service_end: end,
    resolve_start: {
      args: ['id', 'hostname', 'rrtype'],
      fields: {
        id: u64((id) => id),
        hostname: string((_id, hostname) => hostname as string),
        rrtype: string((_id, _hostname, rrtype) => rrtype),
      } satisfies Record<string, TraceField<ResolveStart>>,
      print: '"id=%llu hostname=%s rrtype=%s", REC->id, __get_str(hostname), __get_str(rrtype)',
    },
    resolve_end: end,
  },
  sources: [
    source('GetAddrInfoReqWrap', 'lookup_start', 'lookup_end', (started, id, request) =>
      started(id, ownValue(request, 'hostname'), numberOf(ownValue(request, 'family'))),
    ),
    source('GetNameInfoReqWrap', 'service_start', 'service_end', (started, id, request) =>
      started(id, ownValue(request, 'hostname'), numberOf(ownValue(request, 'port'))),
    ),
    source('QueryReqWrap', 'resolve_start', 'resolve_end', (started, id, request) =>
      started(id, ownValue(request, 'hostname'), rrtypeOf(ownValue(request, 'bindingName'))),
    ),
  ],
});

type StartOf<N extends keyof DnsEvents> = (...args: DnsEvents[N]) => void;
type Completed = (this: object, ...args: unknown[]) => unknown;

/** A source whose requests are objects of a class in C++, each of which is given a function for its end. */
function source<N extends 'lookup_start' | 'service_start' | 'resolve_start'>(
  className: string,
  startName: N,
  endName: 'lookup_end' | 'service_end' | 'resolve_end',
  tellStart: (started: StartOf<N>, id: number, request: object) => void,
): NodeEventSource<DnsEvents> {
  return {
    events: [startName, endName],
    start(trace, { clock }) {
      const ended = trace[endName] as unknown as (...args: End) => void;
      return undoAll([
        atRequests(className, (request) => {
          const id = nextId();
          tellStart(trace[startName] as unknown as StartOf<N>, id, request);
          const begun = clock();
          const hostname = ownValue(request, 'hostname');
          return (error, result) => ended(id, hostname, textOf(result), nameOf(error), clock() - begun);
        }),
      ]);
    },
  };
}

/**
 * Hears each request of a class: of its start when its function for the end is set, the last thing before Node asks, and of
 * its end before that function is called.
 */
function atRequests(className: string, begin: (request: object) => (error: unknown, ...results: unknown[]) => void): Undo {
  const prototype = ownValue(nativeBinding('cares_wrap')?.[className], 'prototype');
  if (typeof prototype !== 'object' || prototype === null) return () => {};
  const setter = {
    oncomplete(this: object, original: unknown): void {
      let value = original;
      if (typeof original === 'function') {
        const heard = begin(this);
        value = function (this: object, ...args: unknown[]): unknown {
          define(this, original);
          heard(args[0], ...args.slice(1));
          return reflectApply(original as Completed, this, args);
        };
      }
      define(this, value);
    },
  }.oncomplete;
  const define = (request: object, value: unknown): void => {
    defineProperty(request, 'oncomplete', { value, writable: true, configurable: true, enumerable: true });
  };
  if (getOwnPropertyDescriptor(prototype, 'oncomplete') !== undefined) return () => {};
  defineProperty(prototype, 'oncomplete', { get: () => undefined, set: setter, configurable: true, enumerable: false });
  return () => {
    if (getOwnPropertyDescriptor(prototype, 'oncomplete')?.set === setter) Reflect.deleteProperty(prototype, 'oncomplete');
  };
}

/** The type of records that a function of the resolver asks for: A, AAAA, MX, PTR. */
function rrtypeOf(name: unknown): string {
  if (typeof name !== 'string') return '';
  if (name === 'getHostByAddr') return 'PTR';
  return StringPrototypeToUpperCase(startsWith(name, 'query') ? slice(name, 'query'.length) : name);
}

/** The name of an error: the library's own is a text, the system's a number. */
function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'number' || error === 0) return '';
  try {
    const name = getSystemErrorName(error);
    // As in the errors that the program gets.
    return name === 'EAI_NONAME' || name === 'EAI_NODATA' ? 'ENOTFOUND' : name;
  } catch {
    return String(error);
  }
}

/** Texts with commas between; what holds others is rendered when it is recorded. */
function textOf(result: unknown): unknown {
  if (result === undefined || result === null) return '';
  if (typeof result === 'string') return result;
  const count = numberOf(ownValue(result, 'length'));
  let text = '';
  for (let i = 0; i < count; i++) {
    const one = ownValue(result, i);
    if (typeof one !== 'string') return result;
    text += i === 0 ? one : `,${one}`;
  }
  return text;
}
