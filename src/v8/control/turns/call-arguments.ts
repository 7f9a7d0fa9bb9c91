import type { CallArguments } from '../../../answers/slow/sampled-turn.js';
import type { AuthorFrames } from '../../inspect/author-frames.js';
import type { PausedStack } from '../../inspect/paused-calls.js';

/** What the calls of a stack were given. */
export function callArguments({ stack, calls, sourceMaps }: PausedStack, frames: AuthorFrames): readonly CallArguments[] {
  frames.know(sourceMaps);
  let next = 0;
  // The stack has also built-in functions, and calls that wait: the others are the same ones, and have the same lines.
  return stack.frames.flatMap(({ name, url, line, isAsync }): readonly CallArguments[] => {
    const call = calls[next];
    if (isAsync || url === '' || call?.line !== line) return [];
    next++;
    if (call.from === undefined) return [];
    const { file, line: from } = frames.place(url, call.from.line, call.from.column);
    return [{ name, file, line: from, arguments: call.parameters.map(([parameter, value]) => ({ name: parameter, value })) }];
  });
}
