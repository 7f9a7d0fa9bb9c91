import { isOwnCode } from '../../answers/own-code.js';
import { RequestFold, type WaitingPlace } from '../../answers/requests/fold-requests.js';
import { type JobChannels, jobChannels } from '../../answers/requests/job-channels.js';
import type { RequestsAnswer } from '../../answers/requests/requests-answer.js';
import { TraceError } from '../../base/errno.js';
import { nextTurn } from '../../base/next-turn.js';
import { workingFolder } from '../../base/working-folder.js';
import { defineEvent, type TraceEvent } from '../../events/define.js';
import type { EventRegistry } from '../../events/registry.js';
import { parseTrigger } from '../../events/trigger/parse-trigger.js';
import type { SymbolTable } from '../../ftrace/symbols.js';
import { ConsumedRecords } from '../../output/record-cursor.js';
import { RecordMerge } from '../../output/record-merge.js';
import { channelEvent, HTTP, REQUEST_EVENTS, REQUEST_TRIGGERS, RequestRecords } from '../../output/request-records.js';
import { waitForEvents } from '../../ring-buffer/index.js';
import type { EventFile } from '../events/event-file.js';
import type { PlacedProcess } from '../ftrace/symbol-place-text.js';
import type { TraceInstance } from '../trace-array/instance.js';

/** What following requests needs of the process. */
export interface FollowedProcess extends Pick<PlacedProcess, 'placeOf' | 'stackPlaces'> {
  readonly events: EventRegistry;
  /** Instances that no directory has. */
  readonly hidden: { add(name: string): TraceInstance; remove(instance: TraceInstance): Promise<void> };
  symbols(): SymbolTable;
}

/** Data bytes of each thread's buffer. */
const BUFFER_BYTES = 8 << 20;
/** Records that are read in one turn of the control thread's loop. */
const MOST_RECORDS = 5000;
/** Milliseconds after which new threads are looked for. */
const LOOK = 100;

/** Follows the requests of the process, or the jobs of a channel, from when it was begun to `end`. */
export class FollowedRequests {
  readonly #process: FollowedProcess;
  readonly #channel: string | undefined;
  readonly #instance: TraceInstance;
  readonly #fold = new RequestFold();
  readonly #records: RequestRecords;
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>;

  private constructor(
    process: FollowedProcess,
    channel: string | undefined,
    channels: JobChannels | undefined,
    instance: TraceInstance,
  ) {
    this.#process = process;
    this.#channel = channel;
    this.#instance = instance;
    this.#records = new RequestRecords(process.events, channels, (event) => this.#fold.take(event));
    this.#reading = this.#readAll();
  }

  /**
   * Begins, in an instance of its own.
   * @param channel as jobChannels() takes it; absent: HTTP requests
   * @throws TraceError EOPNOTSUPP if the process runs no JavaScript
   */
  static async begin(process: FollowedProcess, channel: string | undefined): Promise<FollowedRequests> {
    const channels = channel === undefined ? undefined : jobChannels(channel);
    const names = REQUEST_EVENTS.filter(([system]) => channels === undefined || system !== HTTP);
    const events = [...names.map(([system, name]) => eventOf(process, system, name)), ...channelEvents(process, channels ?? [])];
    const instance = process.hidden.add('requests');
    try {
      await instance.resize(undefined, BUFFER_BYTES);
      const files = events.map((event) => instance.events.of(event));
      await addStacks(instance, files);
      // A thread that is blocked obeys when it runs again.
      await instance.enableEvents(files, true).catch(unlessBlocked);
    } catch (error) {
      await process.hidden.remove(instance).catch(() => {});
      throw error;
    }
    return new FollowedRequests(process, channel, channels, instance);
  }

  /** Ends it, and sums up. */
  async end(): Promise<RequestsAnswer> {
    await this.cancel();
    const about = {
      pid: process.pid,
      application: workingFolder('self'),
      ...(this.#channel !== undefined && { channel: this.#channel }),
    };
    return this.#fold.answer(about, (address) => this.#placeOf(address));
  }

  /** Ends it. What was recorded until then has been read. */
  async cancel(): Promise<void> {
    if (this.#stop.signal.aborted) return this.#reading;
    this.#stop.abort();
    await this.#reading;
    await this.#process.hidden.remove(this.#instance).catch(unlessBlocked);
  }

  async #readAll(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const readers = this.#instance.buffers.all().flatMap(({ reader }) => reader ?? []);
      await waitForEvents(readers, 0, signal, LOOK);
      while (this.#read()) await nextTurn();
    }
  }

  /** Reads some records; returns whether there may be more. */
  #read(): boolean {
    const cpus = this.#instance.buffers.all().flatMap(({ cpu, reader }) => (reader === undefined ? [] : [{ cpu, reader }]));
    const merge = new RecordMerge(cpus.map(({ cpu, reader }) => new ConsumedRecords(cpu, reader)));
    for (let i = 0; i < MOST_RECORDS; i++) {
      if (merge.isEmpty || !merge.take()) return false;
      this.#records.read(merge);
    }
    return true;
  }

  #placeOf(address: number): WaitingPlace | undefined {
    const symbol = this.#process.symbols().find(address);
    const place = symbol?.module === '' ? this.#process.placeOf(symbol) : undefined;
    if (place === undefined || !isOwnCode(place)) return undefined;
    return { frame: { name: symbol!.name, place, isOwn: true }, awaits: this.#process.stackPlaces.at(address) };
  }
}

function unlessBlocked(error: unknown): void {
  if (!(error instanceof TraceError) || error.errno !== 'ETIMEDOUT') throw error;
}

function eventOf({ events }: FollowedProcess, system: string, name: string): TraceEvent {
  const event = events.find(system, name);
  if (event === undefined) throw new TraceError('EOPNOTSUPP', `this process has no event ${system}:${name}`);
  return event;
}

/** The events of channels. One that no thread has used yet is there from now on, and gets its fields with its first message. */
const channelEvents = ({ events }: FollowedProcess, channels: JobChannels): readonly TraceEvent[] =>
  channels.map(([channel]) => {
    const [system, name] = channelEvent(channel);
    const open = { fields: {}, print: '""', isOpen: true, source: channel, args: ['message'] };
    return events.find(system, name) ?? events.register(defineEvent(system, name, { ...open, hasId: true, hasTrigger: true }));
  });

async function addStacks(instance: TraceInstance, files: readonly EventFile[]): Promise<void> {
  for (const file of files) {
    const { event } = file;
    const trigger = REQUEST_TRIGGERS[`${event.system}:${event.name}`];
    if (trigger === undefined) continue;
    const write = parseTrigger(trigger, { event, hasEvent: () => false });
    if (write.action === 'add') await instance.addTrigger(file, write.trigger);
  }
}
