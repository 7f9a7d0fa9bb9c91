import type { HistAction, HistData, HistField } from './hist-data.js';
import { isSameField } from './hist-event.js';

const isSame = (a: HistField, b: HistField): boolean =>
  a.flags === b.flags &&
  isSameField(a.field, b.field) &&
  a.offset === b.offset &&
  a.size === b.size &&
  a.isSigned === b.isSigned &&
  a.varName === b.varName;

const isSameAction = (a: HistAction, b: HistAction): boolean =>
  a.handler === b.handler &&
  a.kind === b.kind &&
  a.params.length === b.params.length &&
  a.params.every((param, i) => param === b.params[i]) &&
  (a.synthName ?? a.word) === (b.synthName ?? b.word) &&
  a.matchSystem === b.matchSystem &&
  a.matchEvent === b.matchEvent &&
  a.variable === b.variable;

/**
 * Whether two hist triggers are the same but for their filters (hist_trigger_match): the same fields with the same modifiers in
 * the same order, sorted alike, with the same actions. The size of the table and the text of expressions do not count.
 */
export function isSameHist(a: HistData, b: HistData): boolean {
  if (a.values.length !== b.values.length || a.keys.length !== b.keys.length) return false;
  if (a.sortKeys.length !== b.sortKeys.length || a.actions.length !== b.actions.length) return false;
  const [fields, others] = [
    [...a.values, ...a.keys],
    [...b.values, ...b.keys],
  ];
  return (
    fields.every((field, i) => isSame(field, others[i]!)) &&
    a.sortKeys.every(({ index, descending }, i) => index === b.sortKeys[i]!.index && descending === b.sortKeys[i]!.descending) &&
    a.actions.every((action, i) => isSameAction(action, b.actions[i]!))
  );
}
