import type { Counter } from '../../answers/timeline/counters.js';
import type { Track } from '../../output/trace-dat/calls/call-visitor.js';
import type { RunningContext } from '../timeline-events.js';
import { COUNTER, PACKET, PROCESS, THREAD, TRACE, TRACK, UNIT } from './fields.js';
import type { MessageWriter } from './message-writer.js';

/** The sequence of the packets that name tracks; threads have others. */
export const NAMES_SEQUENCE = 1;
/** The most contexts whose names are known to have been written; one that is forgotten is named again. */
const MOST_CONTEXTS = 1 << 17;
/** Numbers of tracks of contexts: those of other tracks are below. */
const CONTEXTS = 2 ** 32;

/** How Perfetto shows the numbers of a counter. */
const UNITS: Readonly<Record<Counter['unit'], readonly [field: number, value: number | string]>> = {
  bytes: [COUNTER.unit, UNIT.bytes],
  count: [COUNTER.unit, UNIT.count],
  percent: [COUNTER.unitName, '%'],
};

/** The tracks of a trace: each is named, with what it belongs to, before it is first used. */
export class TrackNames {
  readonly #out: MessageWriter;
  /** Whether threads are the recording's CPUs; of a kernel, tasks are. */
  isFentrys = true;
  /** By the pid. */
  readonly #processes = new Map<number, number>();
  /** By what they are and where. */
  readonly #others = new Map<string, number>();
  readonly #contexts = new Set<number>();
  #last = 0;

  constructor(out: MessageWriter) {
    this.#out = out;
  }

  /** The track of a thread. */
  thread(track: Track): number {
    return this.#once(`thread ${track.index}`, (uuid) => {
      const { process, tid, name, instance, hasContexts } = track;
      const parent = this.#process(track);
      const isKnown = this.isFentrys ? !hasContexts || tid === process.pid : process.pid !== 0;
      // One thread has one track; the events of an instance are on another one.
      if (!isKnown || instance !== '') {
        this.#describe(uuid, instance === '' ? name : `${name}, instance ${instance}`, parent);
        return;
      }
      const packet = this.#open(uuid, name, undefined);
      const thread = this.#out.open(TRACK.thread);
      this.#out.number(THREAD.pid, process.pid);
      this.#out.number(THREAD.tid, this.isFentrys ? tid : process.pid);
      this.#out.text(THREAD.threadName, name);
      this.#out.close(thread);
      this.#close(packet);
    });
  }

  /** A row of a process for things of a kind, of which several at a time have a row each. */
  lane({ process }: Track, parent: number | undefined, kind: string, lane: number): number {
    return this.#once(`lane ${process.pid} ${parent ?? 0} ${lane} ${kind}`, (uuid) =>
      this.#describe(uuid, kind, parent ?? this.#processOf(process)),
    );
  }

  counter(track: Track, counter: Counter): number {
    return this.#once(`counter ${track.index} ${counter.name}`, (uuid) => {
      const packet = this.#open(uuid, counter.name, this.thread(track));
      const message = this.#out.open(TRACK.counter);
      const [field, value] = UNITS[counter.unit];
      if (typeof value === 'number') this.#out.number(field, value);
      else this.#out.text(field, value);
      this.#out.close(message);
      this.#close(packet);
    });
  }

  /** The track of an async context. */
  context({ process }: Track, { pid, comm }: RunningContext): number {
    const parent = this.#once(`contexts ${process.pid}`, (uuid) =>
      this.#describe(uuid, 'async contexts', this.#processOf(process)),
    );
    const uuid = CONTEXTS * parent + pid;
    if (this.#contexts.has(uuid)) return uuid;
    if (this.#contexts.size >= MOST_CONTEXTS) this.#contexts.clear();
    this.#contexts.add(uuid);
    this.#describe(uuid, `${comm}-${pid}`, parent);
    return uuid;
  }

  #process({ process }: Track): number {
    return this.#processOf(process);
  }

  #processOf({ pid, name }: Track['process']): number {
    const known = this.#processes.get(pid);
    if (known !== undefined) return known;
    const uuid = ++this.#last;
    this.#processes.set(pid, uuid);
    const packet = this.#open(uuid, name, undefined);
    if (pid !== 0) {
      const process = this.#out.open(TRACK.process);
      this.#out.number(PROCESS.pid, pid);
      this.#out.text(PROCESS.processName, name);
      this.#out.close(process);
    }
    this.#close(packet);
    return uuid;
  }

  #once(key: string, write: (uuid: number) => void): number {
    const known = this.#others.get(key);
    if (known !== undefined) return known;
    const uuid = ++this.#last;
    this.#others.set(key, uuid);
    write(uuid);
    return uuid;
  }

  #describe(uuid: number, name: string, parent: number): void {
    this.#close(this.#open(uuid, name, parent));
  }

  #open(uuid: number, name: string, parent: number | undefined): readonly [packet: number, descriptor: number] {
    const out = this.#out;
    const packet = out.open(TRACE.packet);
    out.number(PACKET.sequenceId, NAMES_SEQUENCE);
    const descriptor = out.open(PACKET.trackDescriptor);
    out.number(TRACK.uuid, uuid);
    out.text(TRACK.name, name);
    if (parent !== undefined) out.number(TRACK.parentUuid, parent);
    return [packet, descriptor];
  }

  #close([packet, descriptor]: readonly [number, number]): void {
    this.#out.close(descriptor);
    this.#out.closePacket(packet);
  }
}
