import { grouped } from '../../base/grouped.js';
import { visibleLine } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { placeText } from '../place-text.js';
import { threadTitle } from '../thread-title.js';
import type { WaitingAnswer, WaitingCall, WaitingThread } from './waiting-answer.js';

/** Elements of one tree that are shown; of a longer one, those at its ends. */
const SHOWN = 40;
const SHOWN_LAST = 5;
/** Trees that are shown. */
const TREES = 20;

/** A tree: its innermost element, and those that wait for it, by their indexes. */
interface Tree {
  readonly first: number;
  readonly end: number;
}

/**
 * Makes the text of the trees. `4 × query, waiting at lib/db.mjs:6`, and below it `< handler`, which waits for it: each innermost
 * await with what waits for it, up to what nothing waits for.
 */
export function waitingText(value: WaitingAnswer, style: AnswerStyle): readonly string[] {
  const placed = { folder: value.application, ...style };
  return value.threads.flatMap((thread, i) => [...(i > 0 ? [''] : []), ...threadLines(thread, placed)]);
}

function threadLines(thread: WaitingThread, style: AnswerStyle): readonly string[] {
  const title = threadTitle(thread);
  if (thread.silence !== undefined) return [`${title}: not asked: it ${visibleLine(thread.silence)}`];
  const { calls, suspended, stoppedMs, heapBytes, followedMs } = thread;
  const head =
    `${title}: ${counted(suspended, 'suspended async call')}; ` +
    `it stood still for ${(stoppedMs / 1000).toFixed(2)} s, for a snapshot of ${Math.round(heapBytes / 1e6)} MB of heap`;
  const followed =
    followedMs === undefined ? [] : [`the times of waits that began in the last ${secondsOf(followedMs)} are known`];
  const trees = treesOf(calls);
  const wanted = style.all ? trees : trees.filter((tree) => isOwn(calls, tree));
  const shown = style.all ? wanted : wanted.slice(0, TREES);
  return [
    head,
    ...followed,
    ...shown.flatMap((tree) => ['', ...treeLines(calls, tree, style)]),
    ...foldedLines(calls, wanted.slice(shown.length), 'of the application'),
    ...foldedLines(calls, style.all ? [] : trees.filter((tree) => !isOwn(calls, tree)), 'of packages and of Node'),
    ...(thread.isCut ? ['', 'There are more ways from call to call than can be shown.'] : []),
  ];
}

const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

function foldedLines(calls: readonly WaitingCall[], trees: readonly Tree[], whose: string): readonly string[] {
  if (trees.length === 0) return [];
  const count = trees.reduce((sum, { first }) => sum + calls[first]!.count, 0);
  return ['', `${counted(count, 'more innermost await')} ${whose}; --all shows ${count === 1 ? 'it' : 'them'}`];
}

function treesOf(calls: readonly WaitingCall[]): readonly Tree[] {
  const starts = calls.flatMap(({ waitsFor }, i) => (waitsFor === undefined ? [i] : []));
  return starts.map((first, i) => ({ first, end: starts[i + 1] ?? calls.length }));
}

const isOwn = (calls: readonly WaitingCall[], { first, end }: Tree): boolean =>
  calls.slice(first, end).some((call) => call.isOwn);

function treeLines(calls: readonly WaitingCall[], { first, end }: Tree, style: AnswerStyle): readonly string[] {
  const waiters = new Map<number, number>();
  for (let at = first; at < end; at++) {
    const { waitsFor } = calls[at]!;
    if (waitsFor !== undefined) waiters.set(waitsFor, (waiters.get(waitsFor) ?? 0) + 1);
  }
  const depths: number[] = [];
  const branches = new Set<number>();
  const lines: (readonly string[])[] = [];
  for (let at = first; at < end; at++) {
    const call = calls[at]!;
    const below = call.waitsFor;
    // A way without a branch goes straight down.
    const isBranch = below !== undefined && (waiters.get(below) ?? 0) > 1;
    const isAfterBranch = below !== undefined && branches.has(below);
    if (isBranch) branches.add(at);
    depths.push(below === undefined ? 0 : depths[below - first]! + (isBranch || isAfterBranch || below === first ? 1 : 0));
    const showsCount = below === undefined || isBranch || call.count !== calls[below]!.count;
    lines.push(callLines(call, { indent: '  '.repeat(Math.min(depths.at(-1)!, SHOWN)), showsCount }, style));
  }
  if (style.all || lines.length <= SHOWN) return lines.flat();
  const left = lines.length - SHOWN;
  return [
    ...lines.slice(0, SHOWN - SHOWN_LAST),
    [`  ... ${counted(left, 'element')} ${left === 1 ? 'is' : 'are'} left out; --all shows them`],
    ...lines.slice(-SHOWN_LAST),
  ].flat();
}

function callLines(
  call: WaitingCall,
  { indent, showsCount }: { readonly indent: string; readonly showsCount: boolean },
  style: AnswerStyle,
): readonly string[] {
  const count = showsCount ? `${grouped(call.count)} × ` : '';
  const isInnermost = call.waitsFor === undefined;
  const name = `${visibleLine(call.name)}${call.package === undefined ? '' : ` [${visibleLine(call.package)}]`}`;
  const word = isInnermost ? '' : call.kind === 'callback' ? 'then ' : '< ';
  const line = `${indent}${word}${count}${name}${whereOf(call, style)}${waitedOf(call)}`;
  const more = `${indent}    `;
  return [
    line,
    ...(call.source === undefined || !isInnermost ? [] : [`${more}${visibleLine(call.source)}`]),
    ...(call.repeated === undefined ? [] : [`${more}(it calls itself ${counted(call.repeated, 'time')} more)`]),
    ...(call.isCircle ? [`${more}(a circle: what it waits for waits for it)`] : []),
    ...(call.variables ?? []).map(({ name: variable, value }) => `${more}${visibleLine(variable)} = ${visibleLine(value)}`),
  ];
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** `, for 0.4 to 12.3 s`: how long the youngest and the oldest of them wait. */
function waitedOf({ waited, count }: WaitingCall): string {
  if (waited === undefined) return '';
  const [least, most] = [secondsOf(waited.leastMs), secondsOf(waited.mostMs)];
  const known = waited.count === count ? '' : `${grouped(waited.count)} of them `;
  return `, ${known}for ${least === most ? most : `${least.slice(0, -2)} to ${most}`}`;
}

/** Where it waits; or, if that is not known, where its function is. */
function whereOf({ kind, waitsFor, awaits, place, isOneOf }: WaitingCall, style: AnswerStyle): string {
  if (awaits !== undefined) {
    const verb =
      waitsFor === undefined ? (isOneOf ? ', one of them waiting at ' : ', waiting at ') : isOneOf ? '  one of them at ' : '  ';
    return `${verb}${placeText(awaits, style)}`;
  }
  if (place === undefined) return '';
  return kind === 'callback' ? `  ${placeText(place, style)}` : `, a function at ${placeText(place, style)}`;
}
