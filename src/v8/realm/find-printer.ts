import type { FindCaller, WalkStack } from '../call-stack.js';
import type { AnyFunction } from '../callers/chain-code.js';
import { type AddressOfForeign, framesBelow, inWholeStack } from './capture-callers.js';
import type { StackSite } from './capture-stack.js';
import { remembering } from './find-caller.js';
import type { Texts } from './texts.js';

/** What the search needs besides the texts. */
interface PrinterNeeds {
  readonly addressOfForeign: AddressOfForeign;
  readonly walkStack: WalkStack;
  /** Whether a breakpoint's condition is running: its frame is fentry's own, too. */
  readonly inCondition: () => boolean;
}

/**
 * Finds the function of the program that has called one of fentry's, such as tracePrintk(), as a walk of the stack does, and
 * remembers it.
 */
export const createFindPrinter = (texts: Texts, { addressOfForeign, walkStack, inCondition }: PrinterNeeds): FindCaller => {
  const innermost = new Uint32Array(1);
  const find: FindCaller = (callee) => (walkStack(innermost, false, callee) === 0 ? 0 : innermost[0]!);

  /** The address of a function with a text or a file; 0 for others, which a walk may take or leave. */
  const addressOf = (site: StackSite): number => {
    const low = texts.lowAddress(site);
    if (low !== undefined) return low;
    const file = site.getFileName();
    return typeof file === 'string' && file !== '' ? addressOfForeign(file, site.getFunctionName() ?? undefined) : 0;
  };
  const framesBefore = (callee: AnyFunction, address: number): number | undefined =>
    inWholeStack(texts, callee, (trace, from) => (from < trace.length && addressOf(trace[from]!) === address ? from : undefined));

  const remembered = remembering({ find, framesBefore, framesBelow }, texts);
  return (callee) => (inCondition() ? find(callee) : remembered(callee));
};
