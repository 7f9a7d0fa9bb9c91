import { fetchRoot } from '../../../probes/fetch-root.js';
import type { ProbeArgument } from '../../../probes/probe-definition.js';
import type { PointChange, PointConfig } from '../../../probes/probe-point.js';
import type { EventCommand, PlaceRange, PortCommand, ProbePlace } from '../../port.js';
import { PROBE, PROBES } from '../code/arena.js';
import { buildProbeHandler, type HandledProbe } from '../code/probe-handler.js';
import { buildPlaceThunk } from '../code/probed-thunk.js';
import { placeJump } from '../x86-64/probe-places.js';
import type { ChangeQueue } from './change-queue.js';
import type { NativeInstances } from './native-instances.js';
import type { ProbedEnds } from './native-sites.js';
import type { FoundCode, ProbedTexts } from './probed-texts.js';
import type { RingMemoryPages } from './shared-pages.js';
import type { SiteTargets } from './site-targets.js';

/** What probes need of the port. */
export interface ProbesMemory {
  readonly pages: RingMemoryPages;
  readonly queue: ChangeQueue;
  readonly instances: NativeInstances;
  readonly targets: SiteTargets;
  readonly texts: ProbedTexts;
  /** Some event has triggers. */
  hear(): void;
  /** The address of a function, by its number. */
  addressOf(n: number): number | undefined;
  /** A function's site must go elsewhere. */
  rearm(n: number): void;
  /** A probe (PointConfig.id) is not hit: the reason, as a sentence about its place. */
  ended(id: number, why: string): void;
}

type Where = 'entry' | 'exit' | 'middle';

/** A place of the text with its probes. */
interface ProbedPlace {
  readonly number: number;
  readonly where: Where;
  /** The address in its records. */
  readonly ip: number;
  readonly points: Set<PointConfig>;
  /** What it has now: of each probe and its event; '': nothing. */
  built: string;
  /** Why its jump could not be made. */
  failure?: string | undefined;
  /** In the middle of a function: the bytes of the jump, while it is armed. */
  jump?: { readonly code: FoundCode; readonly bytes: Uint8Array } | undefined;
}

const BIGINTS = PROBE.BYTES / 8;

/** The probes of a native process: the places at which they stand, and what records their hits. All threads have the same. */
export class NativeProbes {
  /** Memory for the PROBE entries, in bytes. */
  static readonly tableBytes = PROBES * PROBE.BYTES;

  readonly #memory: ProbesMemory;
  /** The PROBE entries. */
  readonly #entries: BigInt64Array;
  readonly #points = new Map<number, PointConfig>();
  /** By the event's name, what each instance wants of it. */
  readonly #events = new Map<string, Map<number, EventCommand>>();
  readonly #places = new Map<string, ProbedPlace>();
  /** Places whose probes or events have changed. */
  readonly #dirty = new Set<ProbedPlace>();
  readonly #handlers = new Map<string, number>();
  readonly #versions = new Map<unknown, number>();
  /** Words that handlers count in, which must live as long as the process. */
  readonly #words = new Set<SharedArrayBuffer>();

  /** @param table memory for the PROBE entries, which the process shares */
  constructor(memory: ProbesMemory, table: SharedArrayBuffer) {
    this.#memory = memory;
    this.#entries = new BigInt64Array(table);
  }

  /** Every thread is told of a probe; the first one counts. */
  change(change: PointChange): void {
    if (change.type === 'remove') this.#remove(change.id);
    if (change.type === 'add' && this.#points.get(change.point.id) !== change.point) {
      this.#remove(change.point.id);
      this.#add(change.point);
    }
  }

  /** The same of an event. */
  setEvent(command: Extract<PortCommand, { type: 'event' }>): void {
    const { event, instance, config } = command;
    const name = `${event.system}:${event.name}`;
    let wanted = this.#events.get(name);
    if (wanted === undefined) this.#events.set(name, (wanted = new Map()));
    const before = wanted.get(instance);
    if (config === undefined) wanted.delete(instance);
    else wanted.set(instance, command);
    if (signature(before) === signature(config && command)) return;
    for (const place of this.#places.values()) {
      for (const point of place.points) if (point.event === name) this.#dirty.add(place);
    }
  }

  probesOf(n: number): ProbedEnds {
    this.settle();
    const number = (where: Where): number | undefined => {
      const place = this.#places.get(keyOf(where, n));
      return place !== undefined && place.points.size > 0 ? place.number : undefined;
    };
    return { entry: number('entry'), exit: number('exit') };
  }

  placesIn(n: number, ranges: readonly PlaceRange[]): readonly ProbePlace[] {
    return this.#memory.texts.placesIn(n, ranges);
  }

  /** Makes the process what the probes and events are now; text changes with the next stop. */
  settle(): void {
    for (const place of this.#dirty) {
      this.#dirty.delete(place);
      this.#build(place);
    }
  }

  /** Makes all text in the middle of functions what it was. */
  restore(): void {
    for (const point of [...this.#points.values()]) this.#remove(point.id);
    this.settle();
  }

  #add(point: PointConfig): void {
    this.#points.set(point.id, point);
    const { place } = point;
    if (place.kind === 'entry' || place.kind === 'return') {
      for (const n of place.functions) this.#put(point, place.kind === 'entry' ? 'entry' : 'exit', n);
    } else if (place.kind === 'breakpoint') {
      const address = place.address + (place.ranges[0]?.[0] ?? 0);
      const refused = this.#middle(address);
      if (typeof refused === 'string') this.#memory.ended(point.id, refused);
      else this.#put(point, 'middle', address);
    } else this.#memory.ended(point.id, 'is none that machine code has');
  }

  /** The code of a place in the middle of a function; or why no probe can stand there. */
  #middle(address: number): FoundCode | string {
    const code = this.#memory.texts.codeAt(address);
    if (typeof code === 'string') return code;
    const end = address + code.compiled.length;
    for (const { ip, jump } of this.#places.values()) {
      if (jump === undefined || ip === address) continue;
      if (ip < end && ip + jump.code.compiled.length > address) return 'has instructions that were moved for another probe';
    }
    return code;
  }

  #put(point: PointConfig, where: Where, at: number): void {
    const key = keyOf(where, at);
    let place = this.#places.get(key);
    if (place === undefined) {
      const ip = where === 'middle' ? at : (this.#memory.addressOf(at) ?? 0);
      place = { number: this.#places.size, where, ip, points: new Set(), built: '' };
      if (place.number >= PROBES) {
        this.#memory.ended(point.id, 'is one more than there can be');
        return;
      }
      this.#places.set(key, place);
      this.#store(place.number, PROBE.IP, place.ip);
    }
    place.points.add(point);
    this.#dirty.add(place);
    if (where !== 'middle' && place.points.size === 1) this.#memory.rearm(at);
  }

  #remove(id: number): void {
    const point = this.#points.get(id);
    if (point === undefined) return;
    this.#points.delete(id);
    for (const [key, place] of this.#places) {
      if (!place.points.delete(point)) continue;
      this.#dirty.add(place);
      if (place.where !== 'middle' && place.points.size === 0) this.#memory.rearm(Number(key.split(' ')[1]));
    }
  }

  #build(place: ProbedPlace): void {
    const probes = [...place.points].flatMap((point) => this.#handled(point));
    const built = probes.map(({ key }) => key).join();
    if (built !== place.built) {
      place.built = built;
      this.#store(place.number, PROBE.MISSED, probes[0]?.probe.missed ?? 0);
      this.#store(place.number, PROBE.HANDLER, this.#handler(place, built, probes));
    }
    if (place.where === 'middle') this.#arm(place, probes.length > 0);
  }

  /** A probe with its event, for each instance that records it; and what tells it from others. */
  #handled(point: PointConfig): readonly { readonly key: string; readonly probe: HandledProbe }[] {
    const commands = [...(this.#events.get(point.event)?.values() ?? [])].filter(
      (command) => command.config?.isRecorded === true || hasTriggers(command),
    );
    const isHeard = commands.some(hasTriggers);
    if (isHeard) this.#memory.hear();
    // The first one is counted, and heard for the triggers of all instances.
    return commands.flatMap((command, i) => this.#handledIn(point, command, { counts: i === 0, isHeard: isHeard && i === 0 }));
  }

  #handledIn(
    point: PointConfig,
    command: EventCommand,
    { counts, isHeard }: { readonly counts: boolean; readonly isHeard: boolean },
  ): readonly { readonly key: string; readonly probe: HandledProbe }[] {
    const { pages, instances } = this.#memory;
    const words = pages.addressOf(command.memory);
    if (command.config === undefined || words === undefined || !instances.has(command.instance)) return [];
    this.#words.add(command.memory);
    const { event, config } = command;
    const at = (word: number): number => words + word * Int32Array.BYTES_PER_ELEMENT;
    const probe = {
      event,
      args: point.args,
      writer: instances.inUse(command.instance),
      hits: counts ? at(point.hits) : undefined,
      missed: at(point.missed),
      state: at(config.word),
      filter: config.filter,
      isRecorded: config.isRecorded,
      isHeard,
    };
    return [
      { key: `${this.#version(point)} ${command.instance} ${probe.writer} ${counts} ${isHeard} ${signature(command)}`, probe },
    ];
  }

  #handler({ ip, where }: ProbedPlace, built: string, probes: readonly { readonly probe: HandledProbe }[]): number {
    if (probes.length === 0) return 0;
    const handled = probes.map(({ probe }) => probe);
    const isOfPlace = handled.some(({ args }) => args.some(needsPlace));
    const key = `${isOfPlace ? `${where} ${ip}` : ''} ${built}`;
    let handler = this.#handlers.get(key);
    if (handler === undefined) {
      const { targets, texts } = this.#memory;
      const needs = { ip, fileBase: texts.fileBase(ip), addressOf: (symbol: string) => texts.addressOf(symbol) };
      handler = targets.handler((common, address) => buildProbeHandler(common, address, handled, needs));
      this.#handlers.set(key, handler);
    }
    return handler;
  }

  #arm(place: ProbedPlace, isWanted: boolean): void {
    const { queue, targets } = this.#memory;
    const { jump } = place;
    if (!isWanted) place.failure = undefined;
    if (isWanted === (jump !== undefined)) return;
    if (jump !== undefined) {
      place.jump = undefined;
      queue.addText([{ address: place.ip, bytes: jump.code.compiled, from: [jump.bytes] }]);
      // It may have been in the way of others.
      for (const other of this.#places.values()) if (other.failure !== undefined) this.#dirty.add(other);
      return;
    }
    const fail = (why: string): void => {
      place.jump = undefined;
      if (place.failure === why) return;
      place.failure = why;
      for (const { id } of place.points) this.#memory.ended(id, why);
    };
    const refused = (why: string): void => fail(`cannot be changed: ${why}`);
    const code = this.#middle(place.ip);
    if (typeof code === 'string') {
      fail(code);
      return;
    }
    try {
      const thunk = targets.near(place.ip, (common, address) =>
        buildPlaceThunk(common, address, place.number, (at) => code.body(at)),
      );
      const bytes = placeJump(place.ip, code.compiled.length, thunk);
      place.jump = { code, bytes };
      place.failure = undefined;
      const isMoved = code.instructions > 1 ? { isMoved: true as const } : {};
      queue.addText([{ address: place.ip, bytes, from: [code.compiled], refused, ...isMoved }]);
    } catch (error) {
      refused((error as Error).message);
    }
  }

  #store(number: number, field: number, value: number): void {
    Atomics.store(this.#entries, number * BIGINTS + field / 8, BigInt(value));
  }

  #version(one: unknown): number {
    let version = this.#versions.get(one);
    if (version === undefined) {
      version = this.#versions.size;
      this.#versions.set(one, version);
    }
    return version;
  }
}

const keyOf = (where: Where, at: number): string => `${where} ${at}`;

/** Whether code that fetches an argument is good for one place only. */
const needsPlace = ({ fetch }: ProbeArgument): boolean => {
  const root = fetchRoot(fetch);
  return root.kind === 'file address' || (root.kind === 'register' && root.name === 'ip');
};

/** Whether the host runs something for each hit of it. */
const hasTriggers = ({ config }: EventCommand): boolean =>
  config !== undefined && config.triggers.length + config.hists.length > 0;

/** What of an event changes what records it; '': it is not wanted. */
const signature = (command: EventCommand | undefined): string => {
  if (command?.config === undefined) return '';
  const { word, isRecorded, filter } = command.config;
  const isHeard = hasTriggers(command);
  return `${command.event.id} ${word} ${isRecorded} ${isHeard} ${JSON.stringify(filter, (_key, value) => (typeof value === 'bigint' ? String(value) : value))}`;
};
