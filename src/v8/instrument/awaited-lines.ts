import { childrenOf, isFunction } from './declared-names.js';
import type { LineCounter } from './lines.js';
import type { AnyNode } from './parse.js';

/** The most UTF-16 units of a line that is left as it is: longer ones come from a bundler, and hold whole programs. */
const LONGEST = 256;

/**
 * The lines (from 0) with a top-level `await` of a module. Node prints such a line, as V8 has it, below the warning that this
 * `await` was never settled; so no site may stand on it.
 */
export function awaitedLines(program: AnyNode, lines: LineCounter): ReadonlySet<number> {
  const found = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let line = lines.line(from), last = lines.line(to); line <= last; line++) {
      if (lines.length(line) <= LONGEST) found.add(line);
    }
  };
  // A `break` out of `for await` waits for the iterator to close.
  const visit = (node: AnyNode, jumpsWait: boolean): void => {
    if (isFunction(node)) return;
    const { type, start, end } = node;
    if (type === 'AwaitExpression') add(start, start);
    if (jumpsWait && (type === 'BreakStatement' || type === 'ContinueStatement')) add(start, end);
    const isLoop = type === 'ForOfStatement' && node.await;
    if (isLoop) add(start, node.left.end);
    for (const child of childrenOf(node)) visit(child, jumpsWait || isLoop);
  };
  visit(program, false);
  return found;
}
