import type { RequestEvent } from './request-event.js';

/** The task, the cpu, perhaps the flags, the time, the event and its text; with a time stamp of microseconds or nanoseconds. */
const LINE = /^\s*.*-\d+\s+\[(\d+)\]\s+(?:\S+\s+)?(\d+\.\d+):\s+(\w+|<stack trace>):?\s*(.*)$/;
/** A function, in a report with its address, and with its place where the recording has one. */
const FRAME = /^\s*=> (.*?)(?: \([0-9a-f]+\))?(?: \(([^()]*:\d+)\))?\s*$/;
const LOST = /^CPU:(\d+) \[LOST (\d+) EVENTS\]/;

type Parsed = RequestEvent extends infer One ? (One extends RequestEvent ? Omit<One, 'at' | 'cpu'> : never) : never;

const number = (text: string | undefined): number => Number(text ?? Number.NaN);

/** The events that tell of requests, by their names. */
const EVENTS: Readonly<Record<string, (text: string) => Parsed | undefined>> = {
  sched_switch(text) {
    const [, state, comm, next] = /prev_state=(\S+) ==> next_comm=(.*) next_pid=(\d+)/.exec(text) ?? [];
    return comm === undefined ? undefined : { type: 'switch', next: number(next), comm, isInside: state === 'R+' };
  },
  sched_waking(text) {
    const [, pid] = / pid=(\d+)/.exec(text) ?? [];
    return pid === undefined ? undefined : { type: 'ready', context: number(pid) };
  },
  sched_process_fork(text) {
    const [, comm, pid] = /child_comm=(.*) child_pid=(\d+)/.exec(text) ?? [];
    return comm === undefined ? undefined : { type: 'new', context: number(pid), comm };
  },
  server_request_start(text) {
    const [, id, method, url] = /id=(\d+) .*?method=(\S+) url=(.*?)(?: remote=\S* port=\d+ fd=-?\d+)?$/.exec(text) ?? [];
    return url === undefined ? undefined : { type: 'request', id: number(id), method: method!, url };
  },
  server_request_end(text) {
    const [, id, status] = /id=(\d+) .* status=(\d+) /.exec(text) ?? [];
    return status === undefined ? undefined : { type: 'answered', id: number(id), status: number(status) };
  },
  gc(text) {
    const [, from, nanoseconds] = /start=(\d+\.\d+) duration=(\d+)/.exec(text) ?? [];
    return from === undefined ? undefined : { type: 'collection', from: number(from), seconds: number(nanoseconds) / 1e9 };
  },
};

/** Makes events of the lines that `trace_pipe` and `fentry report` print, as they come. */
export class TraceLines {
  readonly #take: (event: RequestEvent) => void;
  #stack: { readonly at: number; readonly cpu: number; readonly functions: string[] } | undefined;

  constructor(take: (event: RequestEvent) => void) {
    this.#take = take;
  }

  line(text: string): void {
    const frame = this.#stack && FRAME.exec(text);
    if (frame) {
      const [, name = '', place] = frame;
      this.#stack!.functions.push(place === undefined ? name : `${name}\t${place}`);
      return;
    }
    this.end();
    const [, lostCpu, count] = LOST.exec(text) ?? [];
    if (count !== undefined) this.#take({ type: 'lost', count: number(count), at: 0, cpu: number(lostCpu) });
    const [, cpuText, time, name, rest = ''] = LINE.exec(text) ?? [];
    if (name === undefined) return;
    const [at, cpu] = [number(time), number(cpuText)];
    if (name === '<stack trace>' || name === 'kernel_stack') this.#stack = { at, cpu, functions: [] };
    const event = Object.hasOwn(EVENTS, name) ? EVENTS[name]!(rest) : undefined;
    if (event !== undefined) this.#take({ ...event, at, cpu } as RequestEvent);
  }

  /** No more lines come: what was begun is whole. */
  end(): void {
    if (this.#stack !== undefined) this.#take({ type: 'stack', ...this.#stack });
    this.#stack = undefined;
  }
}
