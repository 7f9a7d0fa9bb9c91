import { visible } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { placeText } from '../place-text.js';
import type { AllocationsAnswer } from './allocations-answer.js';
import { titleOf } from './allocations-text.js';

/** A semicolon parts frames, a line's last space the number. */
const frameText = (text: string): string =>
  visible(text)
    .replace(/[\n\t]/g, '_')
    .replaceAll(';', ':');

/**
 * Lines like `main thread;handle (app.js:3);parse (app.js:9) 1048576`: the bytes that were allocated on each stack, as
 * flamegraph.pl and speedscope read them; with `byKept` those that live on.
 */
export function allocationStacks(
  { threads, application }: AllocationsAnswer,
  { byKept }: { readonly byKept?: boolean },
): readonly string[] {
  const style: AnswerStyle = { folder: application };
  return threads.flatMap((thread) => {
    const names = thread.functions.map(({ name, place }) =>
      frameText(place === undefined ? name : `${name} (${placeText(place, style)})`),
    );
    return thread.stacks.flatMap(({ functions, allocated, kept }) => {
      const bytes = Math.round(byKept ? kept : allocated);
      return bytes === 0 ? [] : [`${[frameText(titleOf(thread)), ...functions.map((i) => names[i])].join(';')} ${bytes}`];
    });
  });
}
