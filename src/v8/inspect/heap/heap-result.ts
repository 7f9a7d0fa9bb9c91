import type {
  HeapConstructor,
  HeapCount,
  HeapHolder,
  HeapName,
  HeapPart,
  HeapPath,
  HeapStep,
  HeapThread,
} from '../../../answers/heap/heap-answer.js';
import type { AuthorFrames } from '../author-frames.js';
import type { HeapCensus } from './heap-census.js';
import { ROOT } from './path-trie.js';

/** The most constructors, and of them those that have not grown. */
const MOST = 500;
const MOST_OTHERS = 100;
/** The most ways of a constructor, holders, and constructors that a holder holds more of. */
const MOST_PATHS = 5;
const MOST_HOLDERS = 20;
const MOST_PARTS = 10;
/** The share of a constructor's growth that a way has at least. */
const LEAST = 0.02;

/** What of a census an answer has. */
export type HeapResult = Pick<HeapThread, 'all' | 'constructors' | 'others' | 'holders'>;

const NOTHING: HeapCount = { count: 0, bytes: 0 };
const sum = (a: HeapCount, b: HeapCount): HeapCount => ({ count: a.count + b.count, bytes: a.bytes + b.bytes });
const hasGrown = ({ count, bytes }: HeapCount): boolean => count > 0 || (count === 0 && bytes > 0);

/**
 * How much more each way holds. What is held by one way at the first point, and by another at the second, has not become more: so
 * much as was held on ways that hold nothing any more is taken from those of the same label.
 */
class WayGrowth {
  readonly #census: HeapCensus;
  readonly #factors = new Map<number, HeapCount>();

  constructor(census: HeapCensus) {
    this.#census = census;
    const { paths, byWay } = census;
    const more = new Map<number, HeapCount>();
    const gone = new Map<number, HeapCount>();
    for (let way = 0; way < paths.ways; way++) {
      const { count, bytes } = byWay.growth(way);
      const isGone = byWay.at(1, way).bytes === 0;
      const into = isGone ? gone : more;
      const part = isGone ? byWay.at(0, way) : { count: Math.max(0, count), bytes: Math.max(0, bytes) };
      into.set(paths.labelOf(way), sum(into.get(paths.labelOf(way)) ?? NOTHING, part));
    }
    for (const [label, less] of gone) {
      const all = more.get(label) ?? NOTHING;
      this.#factors.set(label, { count: leftOf(all.count, less.count), bytes: leftOf(all.bytes, less.bytes) });
    }
  }

  of(way: number): HeapCount {
    const { count, bytes } = this.#census.byWay.growth(way);
    const factor = this.#factors.get(this.#census.paths.labelOf(way));
    if (factor === undefined) return { count, bytes };
    return {
      count: count > 0 ? Math.round(count * factor.count) : count,
      bytes: bytes > 0 ? Math.round(bytes * factor.bytes) : bytes,
    };
  }
}

/** The part of something that is left without another. */
const leftOf = (all: number, without: number): number => (all <= 0 ? 1 : Math.max(0, 1 - without / all));

/** What has grown between both points of a census, and what holds it. */
export function heapResult(census: HeapCensus, frames: AuthorFrames): HeapResult {
  const names = new Names(census, frames);
  const { shown, others } = chosen(census);
  const indexes = new Map(shown.map((label, index) => [label, index]));
  const growths = new WayGrowth(census);
  const ways = waysByLabel(census, growths);
  const constructors = shown.map((label): HeapConstructor => {
    const growth = census.byLabel.growth(label);
    const paths = hasGrown(growth) ? mostly(growths, growth, ways.get(label) ?? []) : [];
    const more = paths.length - MOST_PATHS;
    return {
      ...names.of(label),
      before: census.byLabel.at(0, label),
      after: census.byLabel.at(1, label),
      paths: paths.slice(0, MOST_PATHS).map(
        (way): HeapPath => ({
          growth: growths.of(way),
          steps: names.steps(census.paths.holdOf(way), census.paths.isRepeated(way)),
        }),
      ),
      ...(more > 0 && { morePaths: more }),
    };
  });
  return {
    all: { before: census.all(0), after: census.all(1) },
    constructors,
    others,
    holders: holdersOf(census, growths, names, indexes),
  };
}

/** The labels that are shown: those that have grown, then the largest others. */
function chosen(census: HeapCensus): { readonly shown: readonly number[]; readonly others: HeapThread['others'] } {
  const { byLabel, labels } = census;
  const all = labels.labels.map((_, label) => label);
  const bytes = (label: number): number => byLabel.growth(label).bytes;
  const grown = all
    .filter((label) => hasGrown(byLabel.growth(label)))
    .sort((a, b) => bytes(b) - bytes(a) || byLabel.growth(b).count - byLabel.growth(a).count)
    .slice(0, MOST);
  const isGrown = new Set(grown);
  const rest = all.filter((label) => !isGrown.has(label)).sort((a, b) => byLabel.at(1, b).bytes - byLabel.at(1, a).bytes);
  const left = rest.slice(MOST_OTHERS);
  const total = (point: 0 | 1): HeapCount => left.reduce((count, label) => sum(count, byLabel.at(point, label)), NOTHING);
  return {
    shown: [...grown, ...rest.slice(0, MOST_OTHERS)],
    others: { constructors: left.length, before: total(0), after: total(1) },
  };
}

/** The ways on which more objects of each label are held than before. */
function waysByLabel({ paths }: HeapCensus, growths: WayGrowth): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (let way = 0; way < paths.ways; way++) {
    if (!hasGrown(growths.of(way))) continue;
    const label = paths.labelOf(way);
    const known = found.get(label);
    if (known === undefined) found.set(label, [way]);
    else known.push(way);
  }
  return found;
}

/** The ways that matter, those with most objects first; with most bytes, if the objects have become larger only. */
function mostly(growths: WayGrowth, growth: HeapCount, ways: readonly number[]): readonly number[] {
  const measure = growth.count > 0 ? 'count' : 'bytes';
  const of = (way: number): number => growths.of(way)[measure];
  const sorted = ways.filter((way) => of(way) > 0).sort((a, b) => of(b) - of(a));
  return sorted.filter((way, i) => i === 0 || of(way) >= LEAST * growth[measure]);
}

/** A hold behind which more is held than before, while its owner is not more. */
interface Grown {
  readonly hold: number;
  growth: HeapCount;
  readonly parts: Map<number, HeapCount>;
}

/**
 * The holds behind which something has become more, though what holds it has not. All that is more behind it, also through
 * others, counts for it.
 */
function holdersOf(
  census: HeapCensus,
  growths: WayGrowth,
  names: Names,
  indexes: ReadonlyMap<number, number>,
): readonly HeapHolder[] {
  const { paths } = census;
  const found = new Map<number, Grown>();
  /** The hold that each way counts for; -1: none. Owners have smaller numbers. */
  const holds = new Int32Array(paths.ways).fill(-1);
  for (let way = 0; way < paths.ways; way++) {
    const hold = paths.holdOf(way);
    const owner = paths.ownerOf(hold);
    const growth = growths.of(way);
    const inherited = owner === ROOT ? -1 : holds[owner]!;
    const own = inherited >= 0 ? inherited : growth.count > 0 ? hold : -1;
    holds[way] = own;
    // What becomes larger, and no more, is its own holder.
    if (own < 0 && growth.bytes <= 0) continue;
    const of = own < 0 ? hold : own;
    let grown = found.get(of);
    if (grown === undefined) found.set(of, (grown = { hold: of, growth: NOTHING, parts: new Map() }));
    grown.growth = sum(grown.growth, growth);
    const label = paths.labelOf(way);
    grown.parts.set(label, sum(grown.parts.get(label) ?? NOTHING, growth));
  }
  return [...found.values()]
    .filter(({ growth }) => growth.bytes > 0)
    .sort((a, b) => b.growth.bytes - a.growth.bytes)
    .slice(0, MOST_HOLDERS)
    .map(({ hold, growth, parts }) => ({ growth, steps: names.steps(hold, false), parts: partsOf(parts, indexes) }));
}

const partsOf = (parts: ReadonlyMap<number, HeapCount>, indexes: ReadonlyMap<number, number>): readonly HeapPart[] =>
  [...parts]
    .filter(([label, growth]) => hasGrown(growth) && indexes.has(label))
    .sort(([, a], [, b]) => b.bytes - a.bytes)
    .slice(0, MOST_PARTS)
    .map(([label, growth]) => ({ constructor: indexes.get(label)!, growth }));

/** Names and steps with the author's places. */
class Names {
  readonly #census: HeapCensus;
  readonly #frames: AuthorFrames;
  readonly #names = new Map<number, HeapName>();

  constructor(census: HeapCensus, frames: AuthorFrames) {
    this.#census = census;
    this.#frames = frames;
  }

  of(label: number): HeapName {
    let name = this.#names.get(label);
    if (name === undefined) this.#names.set(label, (name = this.#new(label)));
    return name;
  }

  /** The steps of a hold. @param isRepeated whether the last one comes again */
  steps(hold: number, isRepeated: boolean): readonly HeapStep[] {
    const { paths } = this.#census;
    const steps: HeapStep[] = [];
    for (let at = hold, again = isRepeated; ; ) {
      const owner = paths.ownerOf(at);
      const { how, name, url } = paths.stepOf(at);
      const of = owner === ROOT ? undefined : this.of(paths.labelOf(owner));
      const module = url === undefined ? undefined : this.#frames.frame({ name, url, line: 1, column: 1, isAsync: false });
      steps.push({
        how,
        name,
        ...(of && { of }),
        ...(module?.place && { module: module.place.file }),
        ...(again && { isRepeated: true }),
        isOwn: module !== undefined ? module.isOwn : of?.place !== undefined && of.isOwn,
      });
      if (owner === ROOT) return steps.reverse();
      again = paths.isRepeated(owner);
      at = paths.holdOf(owner);
    }
  }

  #new(label: number): HeapName {
    const { kind, name, url, line, column } = this.#census.labels.labels[label]!;
    // What has no place is JavaScript's own, and anybody may have made it.
    if (url === '') return { kind, name: name === '' ? '<anonymous>' : name, isOwn: false };
    return { kind, ...this.#frames.frame({ name, url, line: line + 1, column: column + 1, isAsync: false }) };
  }
}
