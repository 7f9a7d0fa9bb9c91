import { isRefused } from '../../base/refused.js';
import type { EventCommand, PlaceRange, PortCommand, ProbePlace } from '../../port/port.js';
import { fetchRoot } from '../../probes/fetch-root.js';
import type { ProbeArgument } from '../../probes/probe-definition.js';
import { isAtSites, type PointChange, type PointConfig } from '../../probes/probe-point.js';
import { PROBE, PROBES } from '../code/arena.js';
import type { CallPool } from '../code/call-pool.js';
import { type AdmittedCalls, buildProbeHandler, type HandledProbe } from '../code/probe-handler.js';
import type { RegisterPlace } from '../machine/probe-machine.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import type { NativeSite } from '../text/site.js';
import { ArmedPlaces, type ArmingNeeds } from './armed-places.js';
import type { HeardEvents } from './heard-events.js';
import type { NativeInstances } from './native-instances.js';
import type { NativeSites } from './native-sites.js';
import type { NativeTexts } from './native-texts.js';
import type { PortNews } from './port-news.js';
import type { RingMemoryPages } from './shared-pages.js';

/** What probes need of the port. */
export interface NativeProbesNeeds extends ArmingNeeds {
  readonly pages: RingMemoryPages;
  readonly instances: NativeInstances;
  readonly functions: NativeTexts;
  readonly sites: NativeSites;
  /** Gets the records of events that have triggers. */
  readonly heard: HeardEvents;
  readonly news: PortNews;
}

type Where = 'entry' | 'exit' | 'middle';

/** A place of the text with its probes. */
interface ProbedPlace {
  readonly number: number;
  readonly where: Where;
  /** The address in its records. */
  readonly ip: number;
  /** The register with the place of a call, at an entry. */
  readonly call: RegisterPlace | undefined;
  readonly points: Set<PointConfig>;
  /** What it has now: of each probe and its event; '': nothing. */
  built: string;
  /** Why it could not be armed. */
  failure?: string | undefined;
}

/** What the code of a place does for a probe; and what tells it from others. */
interface Handled {
  readonly key: string;
  readonly probe: HandledProbe | AdmittedCalls;
}

const BIGINTS = PROBE.BYTES / 8;

/** The probes of a native process: the places at which they stand, and what records their hits. All threads have the same. */
export class NativeProbes {
  /** Memory for the PROBE entries, in bytes. */
  static readonly tableBytes = PROBES * PROBE.BYTES;

  readonly #needs: NativeProbesNeeds;
  readonly #armed: ArmedPlaces;
  /** The PROBE entries. */
  readonly #entries: BigInt64Array;
  readonly #points = new Map<number, PointConfig>();
  /** By the event's name, what each instance wants of it. */
  readonly #events = new Map<string, Map<number, EventCommand>>();
  readonly #places = new Map<string, ProbedPlace>();
  /** The probes of each event, and the places of each probe. */
  readonly #byEvent = new Map<string, Set<PointConfig>>();
  readonly #byPoint = new Map<PointConfig, Map<string, ProbedPlace>>();
  /** Places where something was in the way. */
  readonly #failed = new Set<ProbedPlace>();
  /** Places whose probes or events have changed. */
  readonly #dirty = new Set<ProbedPlace>();
  readonly #handlers = new Map<string, number>();
  readonly #versions = new Map<unknown, number>();
  /** Memory of return probes with a limit, by the probe and the instance. */
  readonly #pools = new Map<PointConfig, Map<number, SharedArrayBuffer>>();
  /** Words that handlers count in, which must live as long as the process. */
  readonly #words = new Set<SharedArrayBuffer>();

  /** @param table memory for the PROBE entries, which the process shares */
  constructor(needs: NativeProbesNeeds, table: SharedArrayBuffer) {
    this.#needs = needs;
    this.#armed = new ArmedPlaces(needs);
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

  /** Sets an event. */
  setEvent(command: Extract<PortCommand, { type: 'event' }>): void {
    const { event, instance, config } = command;
    const name = `${event.system}:${event.name}`;
    let wanted = this.#events.get(name);
    if (wanted === undefined) this.#events.set(name, (wanted = new Map()));
    const before = wanted.get(instance);
    if (config === undefined) wanted.delete(instance);
    else wanted.set(instance, command);
    if (signature(before) === signature(config && command)) return;
    for (const point of this.#byEvent.get(name) ?? []) {
      for (const place of this.#byPoint.get(point)!.values()) this.#dirty.add(place);
    }
  }

  placesIn(n: number, ranges: readonly PlaceRange[]): readonly ProbePlace[] {
    return this.#needs.texts.placesIn(n, ranges);
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
    this.#needs.traps.restore();
  }

  #add(point: PointConfig): void {
    this.#points.set(point.id, point);
    this.#byPoint.set(point, new Map());
    const ofEvent = this.#byEvent.get(point.event);
    if (ofEvent === undefined) this.#byEvent.set(point.event, new Set([point]));
    else ofEvent.add(point);
    const { place } = point;
    if (isAtSites(place)) {
      for (const n of place.functions) {
        const { address, site } = { address: this.#addressOf(n), site: this.#siteOf(n) };
        if (place.kind === 'entry' && site?.hasArguments === false && address !== undefined) this.#putFirst(point, address);
        else if (place.kind === 'entry' || point.maxactive > 0) this.#put(point, 'entry', n);
        if (place.kind === 'return') this.#put(point, 'exit', n);
      }
    } else if (place.kind === 'breakpoint') this.#putInside(point, place.address + (place.ranges[0]?.[0] ?? 0));
    else this.#ended(point.event, 'is none that machine code has');
  }

  #putInside(point: PointConfig, address: number): void {
    const code = this.#armed.codeAt(address);
    if (isRefused(code)) this.#ended(point.event, code.why);
    else this.#put(point, 'middle', address);
  }

  /** At the first instruction of a function that can run elsewhere. */
  #putFirst(point: PointConfig, address: number): void {
    const { texts } = this.#needs;
    const { n } = texts.functionAt(address)!;
    const first = texts.placesIn(n, [[0, Number.POSITIVE_INFINITY]]).find(({ reason }) => reason === undefined);
    this.#putInside(point, address + (first?.offset ?? 0));
  }

  #put(point: PointConfig, where: Where, at: number): void {
    const key = keyOf(where, at);
    let place = this.#places.get(key);
    if (place === undefined) {
      const ip = where === 'middle' ? at : (this.#addressOf(at) ?? 0);
      const site = where === 'entry' ? this.#siteOf(at) : undefined;
      const call = site && LOCAL_MACHINE.probes.placeOf(site);
      place = { number: this.#places.size, where, ip, call, points: new Set(), built: '' };
      if (place.number >= PROBES) {
        this.#ended(point.event, 'is one more than there can be');
        return;
      }
      this.#places.set(key, place);
      this.#store(place.number, PROBE.IP, place.ip);
    }
    place.points.add(point);
    this.#byPoint.get(point)!.set(key, place);
    this.#dirty.add(place);
    if (where !== 'middle' && place.points.size === 1) this.#needs.sites.setProbed(at, where, place.number);
  }

  #remove(id: number): void {
    const point = this.#points.get(id);
    if (point === undefined) return;
    this.#points.delete(id);
    const places = this.#byPoint.get(point)!;
    this.#byPoint.delete(point);
    const ofEvent = this.#byEvent.get(point.event);
    ofEvent?.delete(point);
    if (ofEvent?.size === 0) this.#byEvent.delete(point.event);
    for (const [key, place] of places) {
      place.points.delete(point);
      this.#dirty.add(place);
      const { where, points } = place;
      if (where !== 'middle' && points.size === 0) this.#needs.sites.setProbed(Number(key.split(' ')[1]), where, undefined);
    }
  }

  #build(place: ProbedPlace): void {
    const probes = [...place.points].flatMap((point) => this.#handled(point, place));
    const built = probes.map(({ key }) => key).join();
    if (built !== place.built) {
      if (place.built === '') this.#emptyPools(place);
      place.built = built;
      const first = probes.find(({ probe }) => 'missed' in probe)?.probe as HandledProbe | undefined;
      this.#store(place.number, PROBE.MISSED, first?.missed ?? 0);
      this.#store(place.number, PROBE.HANDLER, this.#handler(place, built, probes));
    }
    if (place.where === 'middle') this.#arm(place, probes.length > 0);
  }

  /** A probe with its event, for each instance that records it; and what tells it from others. */
  #handled(point: PointConfig, place: ProbedPlace): readonly Handled[] {
    const commands = [...(this.#events.get(point.event)?.values() ?? [])].filter(
      (command) => command.config?.isRecorded === true || hasTriggers(command),
    );
    const isHeard = commands.some(hasTriggers);
    const { heard, news } = this.#needs;
    if (isHeard) heard.begin(news.cpus.length);
    // The first one is counted, and heard for the triggers of all instances.
    const found = commands.flatMap((command, i) =>
      this.#handledIn(point, command, { counts: i === 0, isHeard: isHeard && i === 0 }),
    );
    if (point.place.kind !== 'return' || place.where !== 'entry') return found;
    const { call } = place;
    if (call === undefined) return [];
    return found.flatMap(({ key, probe }) => {
      const { pool } = probe as HandledProbe;
      return pool === undefined ? [] : [{ key: `${key} ${call.register} ${call.offset}`, probe: { pool, at: call } }];
    });
  }

  #handledIn(
    point: PointConfig,
    command: EventCommand,
    { counts, isHeard }: { readonly counts: boolean; readonly isHeard: boolean },
  ): readonly Handled[] {
    const { pages, instances } = this.#needs;
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
      pool: point.maxactive === 0 ? undefined : this.#pool(point, command.instance),
    };
    return [
      { key: `${this.#version(point)} ${command.instance} ${probe.writer} ${counts} ${isHeard} ${signature(command)}`, probe },
    ];
  }

  /** The calls that a return probe follows in an instance. */
  #pool(point: PointConfig, instance: number): CallPool {
    const { pages } = this.#needs;
    let pools = this.#pools.get(point);
    if (pools === undefined) this.#pools.set(point, (pools = new Map()));
    let held = pools.get(instance);
    if (held === undefined) {
      held = pages.allocate(point.maxactive * BigInt64Array.BYTES_PER_ELEMENT);
      pools.set(instance, held);
    }
    return { address: pages.addressOf(held)!, calls: point.maxactive };
  }

  /** Calls that ended while nobody heard them are in no pool. */
  #emptyPools({ points, where }: ProbedPlace): void {
    if (where !== 'entry') return;
    for (const point of points) {
      for (const held of this.#pools.get(point)?.values() ?? []) new Uint8Array(held).fill(0);
    }
  }

  #handler({ ip, where }: ProbedPlace, built: string, probes: readonly Handled[]): number {
    if (probes.length === 0) return 0;
    const handled = probes.map(({ probe }) => probe);
    const isOfPlace = handled.some((probe) => 'args' in probe && probe.args.some(needsPlace));
    const key = `${isOfPlace ? `${where} ${ip}` : ''} ${built}`;
    let handler = this.#handlers.get(key);
    if (handler === undefined) {
      const { targets, texts } = this.#needs;
      const needs = { ip, fileBase: texts.fileBase(ip), addressOf: (symbol: string) => texts.addressOf(symbol) };
      handler = targets.handler((common, address) => buildProbeHandler(common, address, handled, needs));
      this.#handlers.set(key, handler);
    }
    return handler;
  }

  #arm(place: ProbedPlace, isWanted: boolean): void {
    const before = place.failure;
    if (!isWanted) {
      place.failure = undefined;
      this.#failed.delete(place);
    }
    if (isWanted === this.#armed.has(place.ip)) return;
    if (!isWanted) {
      this.#armed.disarm(place.ip);
      // It may have been in the way of others.
      for (const other of this.#failed) this.#dirty.add(other);
      return;
    }
    place.failure = undefined;
    this.#failed.delete(place);
    this.#armed.arm(place.ip, place.number, (why) => {
      place.failure = why;
      this.#failed.add(place);
      if (why !== before) for (const { event } of place.points) this.#ended(event, why);
    });
  }

  /** The address of a function, by its number. */
  #addressOf(n: number): number | undefined {
    const found = this.#needs.functions.function(n);
    return found && found.object.text.base + found.one.start;
  }

  #siteOf(n: number): NativeSite | undefined {
    return this.#needs.functions.function(n)?.one.site;
  }

  /** Tells that a probe is not hit: the reason, as a sentence about its place. */
  #ended(event: string, why: string): void {
    this.#needs.news.told({ type: 'probe ended', event, why });
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
