import { grouped } from '../../base/grouped.js';
import { visibleLine } from '../../base/visible.js';
import type { DiffAnswer, FunctionChange, Verdict } from './diff-answer.js';

/** `+120 %`, `x12`: a change as a part of what it was. */
export function changeText(before: number, after: number): string {
  if (before === after) return '=';
  if (before === 0) return 'new';
  const ratio = after / before;
  if (ratio >= 10) return `x${ratio.toFixed(ratio < 100 ? 1 : 0)}`;
  const percent = 100 * (ratio - 1);
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 1 : 0)} %`;
}

/** What is said of a function's calls. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  slower: 'slower',
  faster: 'faster',
  same: '=',
  few: 'few calls',
  new: 'new',
  gone: 'gone',
};

const timesText = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 0)} times as long`;
/** `p = 0.003`: the chance that equal functions differ as much. */
export const chanceText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);
const oftenText = (calls: number): string =>
  calls === 1 ? 'once' : `${Number.isInteger(calls) ? grouped(calls) : calls.toFixed(2)} times`;

/** What a function is slower or faster by, in words that follow its name. */
export const CAUSE_WORDS: Readonly<Record<NonNullable<FunctionChange['cause']>, (one: FunctionChange) => string>> = {
  own: ({ own }) => `its own code takes ${timesText(own?.ratio ?? 1)}`,
  waiting: ({ call }) => `a call takes ${timesText(call?.ratio ?? 1)}, because it waits`,
  calls: ({ call, callee }) =>
    `a call takes ${timesText(call?.ratio ?? 1)}: it calls ${visibleLine(callee?.name ?? '')} ${oftenText(callee?.after ?? 0)}, before ${oftenText(callee?.before ?? 0)}`,
  callees: ({ call }) => `a call takes ${timesText(call?.ratio ?? 1)}, by what it calls`,
};

/** What the machine did, if that is worth telling. */
export function* machineLines({ drift, noise }: Pick<DiffAnswer, 'drift' | 'noise'>): Generator<string> {
  const percent = Math.round(100 * (drift - 1));
  const direction = percent > 0 ? 'slower' : 'faster';
  if (Math.abs(percent) >= 5)
    yield `all functions together are ${Math.abs(percent)} % ${direction}: taken for the machine's doing`;
  if (noise >= 0.1)
    yield `most functions differ by up to ${Math.round(100 * noise)} % by themselves: smaller changes cannot be told from that`;
}
