import type { HeapStep } from '../../../answers/heap/heap-answer.js';

/** How a holder holds what it holds. */
export interface WayStep {
  readonly how: HeapStep['how'];
  readonly name: string;
  /** The text of a module's variable, as V8 names it. */
  readonly url?: string;
}

/** What all ways begin at. */
export const ROOT = -1;

/** After so many properties of equal holders further names are not told apart; of the global object after so many. */
const MOST_NAMES = 16;
const MOST_GLOBALS = 1000;
/** Ways of so many steps are not told apart further. */
const DEEPEST = 40;
/** So far back it is looked whether a step was there before. */
const LOOK_BACK = 8;
/** So many ways in all. */
const MOST_WAYS = 200_000;

/** Factors of keys that are made of two numbers. */
const STEPS = 2 ** 24;
const LABELS = 2 ** 25;

/** The name of steps whose names are not told apart. */
export const ANY = '*';

/**
 * Ways from the root to objects, equal ones once. A way is the number of a label behind a hold; a hold is a step behind a way,
 * or behind the root. The ways of any heap are bounded: a step that a way has had already leads back there, so that a list of a
 * million objects is one way.
 */
export class PathTrie {
  /** The steps, by their numbers. */
  readonly steps: WayStep[] = [];
  readonly #stepNumbers = new Map<string, number>();
  /** The way that each hold is behind, and its step. */
  readonly #owners: number[] = [];
  readonly #holdSteps: number[] = [];
  /** The hold of each way, its label, and how many steps it has. */
  readonly #holds: number[] = [];
  readonly #labels: number[] = [];
  readonly #depths: number[] = [];
  readonly #repeated = new Set<number>();
  readonly #holdNumbers = new Map<number, number>();
  readonly #wayNumbers = new Map<number, number>();
  /** How many properties each way has been asked for. */
  readonly #names = new Map<number, number>();

  get ways(): number {
    return this.#holds.length;
  }

  stepNumber(step: WayStep): number {
    const key = stepKey(step);
    let number = this.#stepNumbers.get(key);
    if (number === undefined) this.#stepNumbers.set(key, (number = this.steps.push(step) - 1));
    return number;
  }

  /** The hold of a way, or of the root, by a step. */
  hold(owner: number, step: number): number {
    if (owner !== ROOT && this.#depths[owner]! >= DEEPEST) return this.#deep(owner);
    return this.#holdNumbers.get(keyOf(owner, step)) ?? this.#addHold(owner, step);
  }

  /** The hold of a way by a property; beyond some names of properties a common one. */
  property(owner: number, name: string): number {
    const known = this.#stepNumbers.get(stepKey({ how: 'property', name }));
    const hold = known === undefined ? undefined : this.#holdNumbers.get(keyOf(owner, known));
    if (hold !== undefined) return hold;
    const names = (this.#names.get(owner) ?? 0) + 1;
    const isGlobal = this.#depths[owner] === 1 && this.stepOf(this.#holds[owner]!).how === 'root';
    const isAny = names > (isGlobal ? MOST_GLOBALS : MOST_NAMES);
    if (!isAny) this.#names.set(owner, names);
    return this.hold(owner, this.stepNumber({ how: 'property', name: isAny ? ANY : name }));
  }

  /** The way to what has a label, by a hold. */
  way(hold: number, label: number): number {
    const key = hold * LABELS + label;
    const known = this.#wayNumbers.get(key);
    if (known !== undefined) return known;
    const way = this.#earlier(hold, label) ?? this.#addWay(hold, label);
    this.#wayNumbers.set(key, way);
    return way;
  }

  ownerOf(hold: number): number {
    return this.#owners[hold]!;
  }

  stepOf(hold: number): WayStep {
    return this.steps[this.#holdSteps[hold]!]!;
  }

  holdOf(way: number): number {
    return this.#holds[way]!;
  }

  labelOf(way: number): number {
    return this.#labels[way]!;
  }

  /** Whether the last step of a way comes again behind it. */
  isRepeated(way: number): boolean {
    return this.#repeated.has(way);
  }

  #addHold(owner: number, step: number): number {
    const hold = this.#owners.push(owner) - 1;
    this.#holdSteps.push(step);
    this.#holdNumbers.set(keyOf(owner, step), hold);
    return hold;
  }

  #addWay(hold: number, label: number): number {
    const way = this.#holds.push(hold) - 1;
    const owner = this.#owners[hold]!;
    this.#labels.push(label);
    this.#depths.push(owner === ROOT ? 1 : this.#depths[owner]! + 1);
    return way;
  }

  /** The way of the same step and label that this one would repeat. */
  #earlier(hold: number, label: number): number | undefined {
    const step = this.#holdSteps[hold]!;
    let way = this.#owners[hold]!;
    for (let back = 0; back < LOOK_BACK && way !== ROOT; back++, way = this.#owners[this.#holds[way]!]!) {
      if (this.#labels[way] !== label || this.#holdSteps[this.#holds[way]!] !== step) continue;
      this.#repeated.add(way);
      return way;
    }
    if (this.#holds.length < MOST_WAYS) return undefined;
    const rest = this.#restHold();
    return rest === hold ? undefined : this.way(rest, label);
  }

  /** The hold of all that is deeper than is told apart. */
  #deep(owner: number): number {
    const hold = this.#holds[owner]!;
    const step = this.stepNumber({ how: 'internal', name: ANY });
    if (this.#holdSteps[hold] === step) return hold;
    return this.#holdNumbers.get(keyOf(owner, step)) ?? this.#addHold(owner, step);
  }

  #restHold(): number {
    const step = this.stepNumber({ how: 'root', name: ANY });
    return this.#holdNumbers.get(keyOf(ROOT, step)) ?? this.#addHold(ROOT, step);
  }
}

/** The key of a hold. The root is -1. */
const keyOf = (owner: number, step: number): number => (owner + 1) * STEPS + step;

const stepKey = ({ how, name, url = '' }: WayStep): string => `${how}\n${url}\n${name}`;
