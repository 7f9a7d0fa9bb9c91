import { createHistogram } from 'node:perf_hooks';

/** A value that can be sent to a thread, and makes the message one that the thread cannot read. */
export function unreadable(): object {
  const histogram = createHistogram();
  const clone = symbolOf(histogram, 'messaging_clone_symbol');
  Object.defineProperty(histogram, clone, { value: () => ({ data: {}, deserializeInfo: 'internal/histogram:none' }) });
  return histogram;
}

/** The symbol with this description of an object, or of what it inherits from. */
function symbolOf(object: object, description: string): symbol {
  for (let one: object = object; ; one = Object.getPrototypeOf(one) as object) {
    const found = Object.getOwnPropertySymbols(one).find((symbol) => symbol.description === description);
    if (found !== undefined) return found;
  }
}
