import { grouped } from '../../base/grouped.js';
import { visible } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { byteText } from '../byte-text.js';
import { memoryLine } from '../memory-use.js';
import { foldedLine } from '../own-code.js';
import type { PlaceStyle } from '../place-text.js';
import { threadTitle } from '../thread-title.js';
import type { HeapAnswer, HeapConstructor, HeapCount, HeapHolder, HeapPart, HeapThread } from './heap-answer.js';
import { heapNameText, pathText } from './heap-path-text.js';

/** What is shown unless all is: holders, the parts of each, constructors, and the ways to each. */
const SHOWN = { holders: 5, parts: 5, constructors: 15, paths: 2 } as const;
/** Widths of the columns. */
const WIDTH = { bytes: 11, counts: 19, sizes: 22 } as const;
/** The share of all growth that what has become larger, but not more, has at least. */
const LEAST = 0.01;
const INDENT = '    ';

/**
 * For each thread what holds more than before, and a table of the constructors whose objects have become more, with the way on
 * which they are held: `cache of lib/cache.mjs -> Map entry`.
 */
export function heapText(value: HeapAnswer, style: AnswerStyle): readonly string[] {
  const placed = { folder: value.application, ...style };
  return value.threads.flatMap((thread, i) => [...(i > 0 ? [''] : []), ...threadLines(thread, placed)]);
}

function threadLines(thread: HeapThread, style: AnswerStyle): readonly string[] {
  const title = threadTitle(thread).replace(/[\n\t]/g, ' ');
  if (thread.silence !== undefined) return [`${title}: not looked at: it ${visible(thread.silence)}`];
  const { all, seconds, stoppedMs, memory } = thread;
  const stops = stoppedMs.map((ms) => (ms / 1000).toFixed(2)).join(' s and ');
  return [
    `${title}: ${countText(all.before)} -> ${countText(all.after)} in ${seconds.toFixed(1)} s; ` +
      `it stood still for ${stops} s at most, for snapshots of its heap`,
    memoryLine(...memory),
    '',
    ...holderLines(thread, style),
    ...constructorLines(thread, style),
  ];
}

const countText = ({ count, bytes }: HeapCount): string => `${grouped(count)} objects with ${byteText(bytes)}`;
const signed = (text: string, number: number): string => (number > 0 ? `+${text}` : text);
const growthOf = ({ before, after }: Pick<HeapConstructor, 'before' | 'after'>): HeapCount => ({
  count: after.count - before.count,
  bytes: after.bytes - before.bytes,
});
const hasGrown = ({ count, bytes }: HeapCount): boolean => count > 0 || (count === 0 && bytes > 0);

/** Whether the application's own code made it, or holds it. */
const isOwn = ({ isOwn: own, paths }: HeapConstructor): boolean =>
  own || paths.some(({ steps }) => steps.some((step) => step.isOwn));

function holderLines({ holders, constructors }: HeapThread, style: AnswerStyle): readonly string[] {
  const own = holders.filter(
    ({ steps, parts }) => steps.some((step) => step.isOwn) || parts.some((part) => constructors[part.constructor]?.isOwn),
  );
  const shown = style.all ? holders : (own.length === 0 ? holders : own).slice(0, SHOWN.holders);
  if (shown.length === 0) return ['Nothing holds more than before.'];
  return ['What holds more than before:', ...shown.flatMap((holder) => holderText(holder, constructors, style)), ''];
}

function holderText(
  { growth, steps, parts }: HeapHolder,
  constructors: readonly HeapConstructor[],
  style: AnswerStyle,
): readonly string[] {
  const own = (part: HeapPart): boolean => constructors[part.constructor]!.isOwn;
  const sorted = [...parts.filter(own), ...parts.filter((part) => !own(part))];
  const shown = sorted.slice(0, style.all ? undefined : SHOWN.parts);
  const more = parts.length - shown.length;
  return [
    `${`+${byteText(growth.bytes)}`.padStart(WIDTH.bytes)}  ${pathText(steps, style)}`,
    ...shown.map((part) => `${' '.repeat(WIDTH.bytes)}  ${INDENT}${partText(part, constructors, style)}`),
    ...(more > 0 ? [`${' '.repeat(WIDTH.bytes)}  ${INDENT}and ${more} more constructor${more === 1 ? '' : 's'}`] : []),
  ];
}

function partText({ constructor: index, growth }: HeapPart, constructors: readonly HeapConstructor[], style: PlaceStyle): string {
  const name = heapNameText(constructors[index]!, style);
  const amount = growth.count === 0 ? `+${byteText(growth.bytes)}` : `${signed(grouped(growth.count), growth.count)}`;
  return `${amount} ${name}`;
}

function constructorLines(thread: HeapThread, style: AnswerStyle): readonly string[] {
  const grown = thread.constructors.filter((one) => hasGrown(growthOf(one)));
  const own = grown.filter(isOwn);
  const isFolded = !style.all && own.length > 0;
  const least = LEAST * grown.reduce((sum, one) => sum + Math.max(0, growthOf(one).bytes), 0);
  const matters = (one: HeapConstructor): boolean => growthOf(one).count > 0 || growthOf(one).bytes >= least;
  const wanted = style.all ? thread.constructors : (isFolded ? own : grown).filter(matters);
  const shown = wanted.slice(0, style.all ? undefined : SHOWN.constructors);
  const rest = thread.constructors.length - grown.length + thread.others.constructors;
  return [
    ...(shown.length === 0 ? [] : [headLine()]),
    ...shown.flatMap((one) => rowLines(one, style)),
    ...moreLine((isFolded ? own : wanted).length - shown.length, 'more constructor', 'of the application'),
    ...(isFolded
      ? foldedLines(
          grown.filter((one) => !isOwn(one)),
          grown,
        )
      : []),
    ...(style.all
      ? moreLine(thread.others.constructors, 'more constructor', `with ${byteText(thread.others.after.bytes)}`, false)
      : moreLine(rest, 'constructor', rest === 1 ? 'has not grown' : 'have not grown')),
  ];
}

const moreLine = (count: number, noun: string, what: string, isHidden = true): readonly string[] =>
  count <= 0
    ? []
    : [
        `${grouped(count)} ${noun}${count === 1 ? '' : 's'} ${what}${isHidden ? `; --all shows ${count === 1 ? 'it' : 'them'}` : ''}`,
      ];

const headLine = (): string =>
  `${'growth'.padStart(WIDTH.bytes)}  ${'objects'.padStart(WIDTH.counts)}  ${'bytes'.padStart(WIDTH.sizes)}  constructor`;

function rowLines(one: HeapConstructor, style: AnswerStyle): readonly string[] {
  const { before, after, paths, morePaths = 0 } = one;
  const { bytes } = growthOf(one);
  const own = paths.filter(({ steps }) => steps.some((step) => step.isOwn));
  const shown = style.all ? paths : (own.length === 0 ? paths : own).slice(0, SHOWN.paths);
  const more = paths.length - shown.length + morePaths;
  const cells = [
    signed(byteText(bytes), bytes).padStart(WIDTH.bytes),
    `${grouped(before.count)} -> ${grouped(after.count)}`.padStart(WIDTH.counts),
    `${byteText(before.bytes)} -> ${byteText(after.bytes)}`.padStart(WIDTH.sizes),
  ];
  const name = `${heapNameText(one, style, '  ')}`;
  return [
    `${cells.join('  ')}  ${name}`,
    ...shown.map(({ growth, steps }) => {
      const amount = growth.count === 0 ? `+${byteText(growth.bytes)}` : `+${grouped(growth.count)}`;
      return `${' '.repeat(WIDTH.bytes)}  ${INDENT}${amount} in ${pathText(steps, style)}`;
    }),
    ...(more > 0 ? [`${' '.repeat(WIDTH.bytes)}  ${INDENT}and ${grouped(more)} more way${more === 1 ? '' : 's'}`] : []),
  ];
}

/** The line for the constructors that neither the application made nor holds. */
function foldedLines(others: readonly HeapConstructor[], all: readonly HeapConstructor[]): readonly string[] {
  if (others.length === 0) return [];
  const bytes = (some: readonly HeapConstructor[]): number =>
    some.reduce((sum, one) => sum + Math.max(0, growthOf(one).bytes), 0);
  const packages = [...new Set(others.map((one) => one.package ?? 'node'))];
  const whole = bytes(all);
  const line = foldedLine(
    { packages, functions: others.length, ...(whole > 0 && { share: bytes(others) / whole }) },
    'the growth',
  );
  return [line.replace(/(\d) function(s?),/, '$1 constructor$2,')];
}
