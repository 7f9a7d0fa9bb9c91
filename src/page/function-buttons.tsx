import type { ComponentChildren } from 'preact';
import { showAround, showSource } from './actions.js';

/** What can be seen of a function that is chosen, and further buttons. */
export function FunctionButtons({ func, children }: { readonly func: number; readonly children?: ComponentChildren }) {
  return (
    <p>
      <button type="button" onClick={() => showSource(func)}>
        Source
      </button>{' '}
      <button type="button" onClick={() => showAround(func)}>
        Callers and callees
      </button>{' '}
      {children}
    </p>
  );
}
