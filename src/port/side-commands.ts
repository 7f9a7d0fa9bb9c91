import type { DiversionChange, LivepatchChange } from '../ftrace/tracers/diversions.js';
import { isAtSites, type PointChange, type PointConfig, type PointPlace } from '../probes/probe-point.js';
import type { PortCommand, TracedThread } from './port.js';

/** One of the two kinds of text that a joined port has. */
export type Side = 'script' | 'native';

/** What tells the texts of two joined ports apart. */
export interface Sides {
  /** Which side has function `n`. */
  of(n: number): Side;
  /** Which side loads the file of a live patch. */
  ofFile(url: string): Side;
  /** A thread of the side that a live patch does not concern has nothing to go over to. */
  passed(thread: TracedThread, patch: number, seq: number): void;
}

type Command<Type extends PortCommand['type']> = Extract<PortCommand, { type: Type }>;

/**
 * Which commands concern the threads of which side, where the text matters: probes and live patches of a function concern the
 * port that has the function. All others concern both.
 */
export class SideCommands {
  readonly #sides: Sides;
  readonly #livepatches = new Map<number, Side>();
  /** What is left of a point for each side: the same one for all threads. */
  readonly #points = new WeakMap<PointConfig, Partial<Record<Side, PointConfig | 'none'>>>();

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** What of a command concerns a thread of a side; undefined: nothing. */
  for(side: Side, command: PortCommand, thread: TracedThread): PortCommand | undefined {
    if (command.type === 'places' || command.type === 'text')
      return this.#sides.of(command.probed.n) === side ? command : undefined;
    if (command.type === 'service') return this.#service(side, command, thread);
    return command;
  }

  #service(side: Side, command: Command<'service'>, thread: TracedThread): PortCommand | undefined {
    const { kind, config } = command;
    if (config === undefined) return command;
    if (kind === 'kprobe') return this.#probe(side, command, config as PointChange);
    if (kind === 'ipmodify') return this.#diverts(side, config as DiversionChange, thread) ? command : undefined;
    return command;
  }

  #probe(side: Side, command: Command<'service'>, change: PointChange): PortCommand | undefined {
    if (change.type === 'symbols') return side === 'script' ? command : undefined;
    if (change.type === 'remove') return command;
    const point = this.#pointOf(side, change.point);
    return point === undefined ? undefined : { ...command, config: { ...change, point } };
  }

  #pointOf(side: Side, point: PointConfig): PointConfig | undefined {
    const known = this.#points.get(point) ?? {};
    this.#points.set(point, known);
    const place = known[side] === undefined ? this.#placeOf(side, point.place) : undefined;
    known[side] ??= place === undefined ? 'none' : { ...point, place };
    return known[side] === 'none' ? undefined : known[side];
  }

  #placeOf(side: Side, place: PointPlace): PointPlace | undefined {
    if (isAtSites(place)) {
      const functions = place.functions.filter((n) => this.#sides.of(n) === side);
      return functions.length > 0 ? { ...place, functions } : undefined;
    }
    const owner = place.kind === 'breakpoint' ? this.#sides.of(place.n) : 'script';
    return owner === side ? place : undefined;
  }

  #diverts(side: Side, change: DiversionChange, thread: TracedThread): boolean {
    if (change.type !== 'livepatch') return side === 'script';
    if (this.#ownerOf(change) === side) return true;
    if (change.change === 'enable' || change.change === 'disable') this.#sides.passed(thread, change.patch, change.seq);
    return false;
  }

  #ownerOf(change: LivepatchChange): Side | undefined {
    if (change.change === 'load') this.#livepatches.set(change.patch, this.#sides.ofFile(change.url));
    return this.#livepatches.get(change.patch);
  }
}
