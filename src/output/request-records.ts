import type { JobChannels, JobStep } from '../answers/requests/job-channels.js';
import type { RequestEvent } from '../answers/requests/request-event.js';
import { addressAt } from '../base/address.js';
import { channelEventName } from '../base/channel-event-name.js';
import type { EventFormat } from '../events/define.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { type FieldAccess, fieldAccess, textAt } from '../events/read-fields.js';
import type { EventsById } from '../events/registry.js';
import { type TraceRecord, typeOf } from './record.js';
import { LOST_UNKNOWN } from './record-cursor.js';

type Said = RequestEvent extends infer One ? (One extends RequestEvent ? Omit<One, 'at' | 'cpu'> : never) : never;
type Read = (record: TraceRecord) => Said | undefined;

/** Reads the fields of an event's records; a field that the event does not have is 0, or ''. */
class Fields {
  readonly #fields: EventFormat['fields'];

  constructor({ fields }: EventFormat) {
    this.#fields = fields;
  }

  number(name: string): (record: TraceRecord) => number {
    const access = this.#access(name);
    return (record) => Number(access?.number(record) ?? 0);
  }

  text(name: string): (record: TraceRecord) => string {
    const array = this.#access(name)?.array;
    return (record) => (array === undefined ? '' : textAt(record, array.range(record)));
  }

  /** `id=7 name=resize`: the values of a message, without what fentry adds to them. */
  message(): (record: TraceRecord) => string {
    const fields = Object.keys(this.#fields).filter((name) => !name.startsWith('common_') && !ADDED.has(name));
    const values = fields.map((name) => {
      const isText = this.#access(name)?.array?.isText === true;
      return [name, isText ? this.text(name) : this.number(name)] as const;
    });
    return (record) => values.map(([name, read]) => (name === WHOLE ? read(record) : `${name}=${read(record)}`)).join(' ');
  }

  #access(name: string): FieldAccess | undefined {
    const field = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    return field && fieldAccess(field);
  }
}

/** The system of channels, and the fields of their events that are no properties of messages; that of a whole message. */
const CHANNELS = 'diagnostics_channel';
const OBJECT = 'object';
const ADDED = new Set([OBJECT, 'misfit']);
const WHOLE = 'msg';
/** What a context is in when another one runs inside of it: TASK_REPORT_MAX. */
const PREEMPTED = 0x100;
/** What an operation on a file has in `via` while the thread stands still for it. */
const VIA_SYNC = 0;
/** Addresses of a stack that are looked at: what stands further out has not awaited. */
const MOST_ADDRESSES = 64;
const NS = 1e9;

/** How records are read, by the names of their events. */
const READERS: Readonly<Record<string, (fields: Fields) => Read>> = {
  'sched:sched_switch'(fields) {
    const [next, comm, state] = [fields.number('next_pid'), fields.text('next_comm'), fields.number('prev_state')];
    return (record) => ({
      type: 'switch',
      next: next(record),
      comm: comm(record),
      isInside: (state(record) & PREEMPTED) !== 0,
    });
  },
  'sched:sched_waking'(fields) {
    const context = fields.number('pid');
    return (record) => ({ type: 'ready', context: context(record) });
  },
  'sched:sched_process_fork'(fields) {
    const [context, comm] = [fields.number('child_pid'), fields.text('child_comm')];
    return (record) => ({ type: 'new', context: context(record), comm: comm(record) });
  },
  'http:server_request_start'(fields) {
    const [id, method, url] = [fields.number('id'), fields.text('method'), fields.text('url')];
    return (record) => ({ type: 'request', id: id(record), method: method(record), url: url(record) });
  },
  'http:server_request_end'(fields) {
    const [id, status] = [fields.number('id'), fields.number('status')];
    return (record) => ({ type: 'answered', id: id(record), status: status(record) });
  },
  'fs:op_start'(fields) {
    const [id, via] = [fields.number('id'), fields.number('via')];
    return (record) => (via(record) === VIA_SYNC ? { type: 'operation', id: id(record) } : undefined);
  },
  'fs:op_end'(fields) {
    const id = fields.number('id');
    return (record) => ({ type: 'operated', id: id(record) });
  },
  'gc:gc'(fields) {
    const [from, duration] = [fields.number('start'), fields.number('duration')];
    return (record) => ({ type: 'collection', from: from(record) / NS, seconds: duration(record) / NS });
  },
};

/** The events of READERS, as `-e` and files name them. */
export const REQUEST_EVENTS: readonly (readonly [system: string, name: string])[] = Object.keys(READERS).map(
  (name) => name.split(':') as [string, string],
);
/** The triggers that record who awaits, who asks for a callback, and whose operation it is. */
export const REQUEST_TRIGGERS: Readonly<Record<string, string>> = {
  'sched:sched_process_fork': 'stacktrace if child_comm == "PROMISE" || child_comm == "Timeout" || child_comm == "Immediate"',
  'fs:op_start': `stacktrace if via == ${VIA_SYNC}`,
};
/** The system of the events that tell of HTTP requests. */
export const HTTP = 'http';

/** The event of a channel. */
export const channelEvent = (channel: string): readonly [system: string, name: string] => [CHANNELS, channelEventName(channel)];

/** The stack of the context that was made last. */
function readStack({ words, at }: TraceRecord): Said {
  const count = Math.min(words[at + 2]!, MOST_ADDRESSES);
  return { type: 'stack', addresses: Array.from({ length: count }, (_, i) => addressAt(words, at + 4 + i * 2)) };
}

/** A message of a channel that tells of jobs. */
function readMessage(channel: string, step: JobStep, format: EventFormat): Read {
  const fields = new Fields(format);
  const id = fields.number(OBJECT);
  if (step !== 'job') return (record) => ({ type: step, id: id(record) });
  const [name, message] = [fields.text('name'), fields.message()];
  return (record) => ({ type: 'job', id: id(record), name: name(record) || channel, message: message(record) });
}

/** Makes the events of requests, or of jobs, of the records that tell of them, wherever these come from. */
export class RequestRecords {
  readonly #events: EventsById<EventFormat>;
  readonly #take: (event: RequestEvent) => void;
  /** How the messages of channels are read; absent: HTTP requests are followed. */
  readonly #steps: ReadonlyMap<string, readonly [channel: string, step: JobStep]> | undefined;
  readonly #byType = new Map<number, Read | undefined>();

  /** @param channels those that tell of jobs; absent: HTTP requests are followed */
  constructor(events: EventsById<EventFormat>, channels: JobChannels | undefined, take: (event: RequestEvent) => void) {
    this.#events = events;
    this.#take = take;
    this.#steps = channels && new Map(channels.map((one) => [channelEvent(one[0]).join(':'), one]));
  }

  /** @param record with the events that were lost before it on its cpu */
  read(record: TraceRecord & { readonly lost: number }): void {
    const { cpu, lost } = record;
    const at = record.ts / NS;
    if (lost !== 0) this.#take({ type: 'lost', count: lost === LOST_UNKNOWN ? 1 : lost, at, cpu });
    const said = this.#reader(typeOf(record))?.(record);
    if (said !== undefined) this.#take({ ...said, at, cpu } as RequestEvent);
  }

  #reader(type: number): Read | undefined {
    if (this.#byType.has(type)) return this.#byType.get(type);
    const format = this.#events.get(type);
    // An event that is not known may become one: events come at run time.
    if (format === undefined) return undefined;
    const read = this.#readerOf(format);
    this.#byType.set(type, read);
    return read;
  }

  #readerOf(format: EventFormat): Read | undefined {
    if (format.system === 'ftrace') return format.id === FTRACE_EVENTS.kernel_stack.id ? readStack : undefined;
    const name = `${format.system}:${format.name}`;
    const job = this.#steps?.get(name);
    if (job !== undefined) return readMessage(job[0], job[1], format);
    if (this.#steps !== undefined && format.system === HTTP) return undefined;
    return Object.hasOwn(READERS, name) ? READERS[name]!(new Fields(format)) : undefined;
  }
}
