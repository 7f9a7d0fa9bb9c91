import type { HistOperator } from './hist-data.js';

/** The operator that is evaluated last, and its place (contains_operator): of the weaker ones the last, then of the stronger. */
export function rootOperator(text: string): { readonly operator: HistOperator; readonly at: number } | undefined {
  const minus = text.lastIndexOf('-');
  if (minus === 0) return { operator: 'minus', at: 0 };
  const additive = Math.max(minus, text.lastIndexOf('+'));
  const at = additive >= 0 ? additive : Math.max(text.lastIndexOf('/'), text.lastIndexOf('*'));
  return at < 0 ? undefined : { operator: text[at] as HistOperator, at };
}

export const hasOperator = (text: string): boolean => rootOperator(text) !== undefined;

/** What the kernel's parser has left of a text for its error messages: it writes zero bytes into it. */
export function leftOf(text: string): string {
  const { operator, at } = rootOperator(text) ?? {};
  if (operator === 'minus') {
    const end = text.lastIndexOf(')');
    return end < 0 ? text : text.slice(0, 2) + leftOf(text.slice(2, end));
  }
  if (at !== undefined) return leftOf(text.slice(0, at));
  const dots = text.split('.');
  return dots.length > 2 ? dots[0]! : text;
}
