import type { TextSpan, TryBlocks } from '../../ftrace/text.js';
import { childrenOf, type FunctionSpan, isFunction, pathTo, readAs } from './declared-names.js';
import type { AnyNode } from './parse.js';

/**
 * The `try` statements of a function's own code, in units from its start. Undefined if the source cannot be read. Pure; never
 * throws.
 */
export function tryBlocks(source: string, one: FunctionSpan): readonly TryBlocks[] | undefined {
  const program = readAs(source);
  const func = program && pathTo(program, one).at(-1);
  if (func === undefined) return undefined;
  const spanOf = ({ start, end }: AnyNode): TextSpan => [start - one.start, end - one.start];
  const found: TryBlocks[] = [];
  const look = (node: AnyNode): void => {
    if (node.type === 'TryStatement') {
      const { block, handler, finalizer } = node;
      found.push({
        block: spanOf(block),
        ...(handler && { handler: spanOf(handler) }),
        ...(finalizer && { finalizer: spanOf(finalizer), mayEndThrow: mayJump(finalizer) }),
      });
    }
    for (const child of childrenOf(node)) if (!isFunction(child)) look(child);
  };
  for (const child of childrenOf(func)) if (!isFunction(child)) look(child);
  return found;
}

const JUMPS = new Set(['ReturnStatement', 'BreakStatement', 'ContinueStatement']);

/** Whether a block has a jump that could leave it: an exception that is under way is forgotten then. */
const mayJump = (node: AnyNode): boolean =>
  JUMPS.has(node.type) || childrenOf(node).some((child) => !isFunction(child) && mayJump(child));
