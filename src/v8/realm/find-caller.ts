import type { PointSymbol } from '../../probes/probe-point.js';
import type { FindCaller } from '../call-stack.js';
import { createBlock, type PlacedChain, placeChain } from '../callers/place-chain.js';
import { type CapturedCallers, rememberCallers } from '../callers/remember-callers.js';
import { type AddressOfForeign, createCapturedCallers } from './capture-callers.js';
import { captureRealm } from './capture-stack.js';
import { withOwnBuiltIns } from './own-built-ins.js';
import type { Texts } from './texts.js';

/** The functions without sites that a thread has found. */
export interface ForeignCallers extends AddressOfForeign {
  /** The symbol at which such an address stands, of those that this thread gave; the control thread names all. */
  symbolAt(address: number): PointSymbol | undefined;
}

/** What reads this thread's frames; null: nothing can. */
let placed: PlacedChain | null | undefined;

/** Finds callers by stack captures, and remembers them where the thread's frames can be read (callers/). */
export const createFindCaller = (texts: Texts, addressOfForeign: AddressOfForeign): FindCaller =>
  remembering(createCapturedCallers(texts, addressOfForeign), texts);

/** Remembers what is found by captures, where the thread's frames can be read. */
export const remembering = (captured: CapturedCallers, texts: Texts): FindCaller => {
  const realm = captureRealm();
  return withOwnBuiltIns(() => {
    try {
      if (placed === null) return captured.find;
      const tried = placed;
      placed = null;
      const chain = tried ?? placeChain(realm);
      const { find, forget } = rememberCallers(captured, chain, createBlock(chain), realm.newWeakMap);
      texts.whenChanged(forget);
      placed = chain;
      return find;
    } catch {
      // Nothing is written into memory here, or this is another V8.
      return captured.find;
    }
  });
};
