import type { Frame } from '../answers/place.js';

/** The functions of two recordings: which of the second is which of the first. */
export interface MatchedFunctions<One extends Frame> {
  readonly both: readonly (readonly [before: One, after: One])[];
  readonly gone: readonly One[];
  readonly added: readonly One[];
}

/** Functions of one recording, with the folder of its application: two checkouts of a program are the same program. */
export interface RecordedFunctions<One extends Frame> {
  readonly application: string;
  readonly functions: readonly One[];
}

/** Candidates of one key are aligned by their lines as long as there are not more pairs of them than this. */
const MOST_PAIRS = 1_000_000;

/**
 * Finds each function again by its name, its package and its file. Where several are called the same, those of the same lines are
 * the same, then the others in the order of their lines, moved as little as possible. What then remains is the same if only one
 * function of its name and package remains in each recording: its file was renamed.
 */
export function matchFunctions<One extends Frame>(
  before: RecordedFunctions<One>,
  after: RecordedFunctions<One>,
): MatchedFunctions<One> {
  const both: (readonly [One, One])[] = [];
  let [gone, added] = [before.functions, after.functions];
  for (const { keyOf, pair } of STEPS) {
    const groups = groupsOf(
      gone,
      (one) => keyOf(one, before.application),
      added,
      (one) => keyOf(one, after.application),
    );
    const paired = groups.flatMap(([olds, news]) => pair(olds, news));
    const done = new Set<Frame>(paired.flat());
    both.push(...paired);
    [gone, added] = [gone.filter((one) => !done.has(one)), added.filter((one) => !done.has(one))];
  }
  return { both, gone, added };
}

interface Step {
  readonly keyOf: (one: Frame, application: string) => string;
  readonly pair: <One extends Frame>(before: readonly One[], after: readonly One[]) => readonly (readonly [One, One])[];
}

const nameKey = ({ name, package: from = '' }: Frame): string => `${from}\n${name}`;
const fileKey = (one: Frame, application: string): string => `${nameKey(one)}\n${relative(one.place?.file ?? '', application)}`;

/** The closest likeness first. */
const STEPS: readonly Step[] = [
  { keyOf: (one, application) => `${fileKey(one, application)}\n${one.place?.line}:${one.place?.column}`, pair: onlyOne },
  { keyOf: fileKey, pair: inOrder },
  { keyOf: nameKey, pair: onlyOne },
];

function relative(file: string, application: string): string {
  const folder = `${application.replace(/\/+$/, '')}/`;
  return folder !== '/' && file.startsWith(folder) ? file.slice(folder.length) : file;
}

function groupsOf<One extends Frame>(
  before: readonly One[],
  keyBefore: (one: One) => string,
  after: readonly One[],
  keyAfter: (one: One) => string,
): readonly (readonly [One[], One[]])[] {
  const groups = new Map<string, [One[], One[]]>();
  const groupOf = (key: string): [One[], One[]] => {
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = [[], []]));
    return group;
  };
  for (const one of before) groupOf(keyBefore(one))[0].push(one);
  for (const one of after) groupOf(keyAfter(one))[1].push(one);
  return Array.from(groups.values()).filter(([olds, news]) => olds.length > 0 && news.length > 0);
}

function onlyOne<One extends Frame>(before: readonly One[], after: readonly One[]): readonly (readonly [One, One])[] {
  return before.length === 1 && after.length === 1 ? [[before[0]!, after[0]!]] : [];
}

const byPlace = (a: Frame, b: Frame): number =>
  (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0);

/** Pairs as many as there are, in the order of their lines, so that the sum of the lines they moved by is least. */
function inOrder<One extends Frame>(before: readonly One[], after: readonly One[]): readonly (readonly [One, One])[] {
  const [olds, news] = [[...before].sort(byPlace), [...after].sort(byPlace)];
  if (olds.length === news.length || olds.length * news.length > MOST_PAIRS) {
    return olds.slice(0, news.length).map((one, i) => [one, news[i]!] as const);
  }
  if (olds.length > news.length) return aligned(news, olds).map(([b, a]) => [a, b] as const);
  return aligned(olds, news);
}

/** Each of the fewer with one of the more. */
function aligned<One extends Frame>(few: readonly One[], many: readonly One[]): readonly (readonly [One, One])[] {
  const spare = many.length - few.length;
  const moved = (i: number, skipped: number): number =>
    Math.abs((few[i]!.place?.line ?? 0) - (many[i + skipped]!.place?.line ?? 0));
  // Of the first i of the few, with so many of the others left out: how far they moved at least.
  let least = new Array<number>(spare + 1).fill(0);
  const leaves: boolean[][] = [];
  for (let i = 0; i < few.length; i++) {
    const next: number[] = [];
    const leavesHere: boolean[] = [];
    for (let skipped = 0; skipped <= spare; skipped++) {
      const taken = least[skipped]! + moved(i, skipped);
      const left = next[skipped - 1] ?? Infinity;
      leavesHere.push(left <= taken && skipped > 0);
      next.push(Math.min(taken, left));
    }
    leaves.push(leavesHere);
    least = next;
  }
  const pairs: (readonly [One, One])[] = [];
  for (let i = few.length - 1, skipped = spare; i >= 0; i--) {
    while (leaves[i]![skipped]) skipped--;
    pairs.push([few[i]!, many[i + skipped]!]);
  }
  return pairs.reverse();
}
