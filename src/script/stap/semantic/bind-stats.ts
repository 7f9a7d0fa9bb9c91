import type { HistogramShape, ScriptExpression } from '../../program.js';
import type { HistogramExpression, IndexExpression, StapExpression, StatExpression } from '../syntax-tree.js';
import { bindElement } from './bind-array.js';
import type { BodyScope } from './body-scope.js';
import type { BoundExpression, BoundGlobal } from './bound.js';
import { operator, placeOf, tokenOfExpression } from './expression-token.js';
import { fault, refuse, type ScriptToken, SemanticError } from './semantic-error.js';
import { asLong, expect, firstInferred, longOf } from './type-rules.js';

/** The aggregate that an operator is applied to. */
export function bindStats(
  of: StapExpression,
  scope: BodyScope,
): { global: BoundGlobal; keys: () => ScriptExpression[]; token: ScriptToken } {
  const token = tokenOfExpression(of);
  if (of.kind === 'index' && of.of.kind === 'symbol') {
    const element = bindElement(of, of.of, scope);
    beStats(element.global, token);
    return element;
  }
  if (of.kind !== 'symbol') return refuse('stats expected', [], token);
  const global = scope.localOrGlobal(of.name, token);
  if ('slot' in global) return refuse('stats expected', [], token);
  global.useWith(0, token);
  beStats(global, token);
  return { global, keys: () => [], token };
}

function beStats(global: BoundGlobal, token: ScriptToken): void {
  if (global.cell.be('stats', token)) return;
  throw new SemanticError(fault('type mismatch', ['stats'], token), ...firstInferred(global.cell));
}

const shapeOf = (shape: HistogramExpression['shape']): HistogramShape => {
  if (shape.kind === 'log') return { kind: 'log' };
  const [from = 0n, to = 0n, step = 1n] = shape.parameters;
  return { kind: 'linear', from: Number(from), to: Number(to), step: Number(step) };
};

/** The most buckets of a linear histogram. */
const MOST_BUCKETS = 126;

function isCountable({ from, to, step }: Extract<HistogramShape, { kind: 'linear' }>): boolean {
  const buckets = (to - from) / step;
  return step > 0 && buckets >= 1 && buckets <= MOST_BUCKETS;
}

/** An aggregate whose histogram is wanted. */
export function bindHistogram({ of, shape, place }: HistogramExpression, scope: BodyScope) {
  const stats = bindStats(of, scope);
  const token = operator(shape.kind === 'log' ? '@hist_log' : '@hist_linear', { place });
  const wanted = shapeOf(shape);
  if (wanted.kind === 'linear' && !isCountable(wanted)) refuse('histogram buckets', [], token);
  stats.global.collect(wanted, undefined, token);
  stats.global.isRead = true;
  return { ...stats, token };
}

/** `@hist_log(x)[i]`, and `i in @hist_log(x)`, which is the same: how many samples a bucket has. */
export function bindBucket(of: HistogramExpression, keys: IndexExpression['keys'], scope: BodyScope): BoundExpression {
  const { global, keys: built, token } = bindHistogram(of, scope);
  const [index] = keys;
  if (index === undefined || keys.length !== 1) return refuse('histogram place', [], token);
  const bound = expect(scope.bind(index), 'long');
  return longOf(token, () => ({ op: 'bucket', id: global.id, keys: built(), index: asLong(bound), place: placeOf(token) }));
}

/** Binds `@count(x)` and the like. */
export function bindStat({ extract, of, bits, place }: StatExpression, scope: BodyScope): BoundExpression {
  const { global, keys } = bindStats(of, scope);
  const token = operator(`@${extract}`, { place });
  global.collect(undefined, extract === 'variance' ? Number(bits ?? 0n) : undefined, token);
  global.isRead = true;
  return longOf(token, () => ({ op: 'extract', id: global.id, keys: keys(), what: extract, place: placeOf(token) }));
}
