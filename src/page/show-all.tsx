import type { Signal } from '@preact/signals';
import { countText } from './time-text.js';

/** Rows of a table that are shown at first: more make the page slow, and nobody reads them. */
export const FIRST_ROWS = 200;

/** The button below a table that shows not all of its rows. */
export function ShowAll({ isAll, count }: { readonly isAll: Signal<boolean>; readonly count: number }) {
  if (isAll.value || count <= FIRST_ROWS) return null;
  return (
    <p>
      <button type="button" onClick={() => (isAll.value = true)}>
        Show all {countText(count)}
      </button>
    </p>
  );
}
