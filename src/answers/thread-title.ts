import { visibleLine } from '../base/visible.js';

/** `main thread`, `worker 3 (jobs)`: what an answer calls a thread. */
export const threadTitle = ({ thread, name }: { readonly thread: number; readonly name: string }): string =>
  thread === 0 ? 'main thread' : `worker ${thread}${name === '' ? '' : ` (${visibleLine(name)})`}`;
