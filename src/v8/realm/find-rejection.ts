import { textAddress } from '../text-region.js';
import type { AddressOfForeign } from './capture-callers.js';
import { captureStack, type StackSite } from './capture-stack.js';
import { startsWith } from './primordials.js';
import { functionWords, type PlacedSite, placeWords, sitePlace } from './site-place.js';
import type { Texts } from './texts.js';

/** Who has rejected a promise. */
export interface Rejection {
  /** The function that did: an address inside it, 0 if it is not known. */
  readonly rejecter: number;
  /** The function that made the promise, which for that of an async function is this itself; the same. */
  readonly maker: number;
  /**
   * `file:line:column` where it was rejected; of an async function that has thrown, where this begins; '' if it is not known.
   */
  readonly at: string;
}

/** Finds it on the stack, below Node's function that V8 tells of the rejection. Runs no code of the program, and never throws. */
export type FindRejection = () => Rejection;

/** Node's functions that V8 tells of rejections. */
const HANDLER = 'node:internal/process/promises';
const LIMIT = 40;
const UNKNOWN: Rejection = { rejecter: 0, maker: 0, at: '' };

/** Creates what finds it. */
export const createFindRejection = (texts: Texts, addressOfForeign: AddressOfForeign): FindRejection => {
  /** A function of the program, or of a package: neither V8's nor Node's nor fentry's. */
  const isPrograms = (site: StackSite): boolean => {
    const file = site.getFileName();
    return typeof file === 'string' && !startsWith(file, 'node:') && !texts.isOwn(file);
  };
  const addressOf = (site: StackSite): number => {
    const low = texts.lowAddress(site) ?? addressOfForeign(site.getFileName()!, site.getFunctionName() ?? undefined);
    return textAddress(low);
  };

  const read = (trace: readonly StackSite[]): Rejection => {
    let first = 0;
    while (first < trace.length && trace[first]!.getFileName() !== HANDLER) first++;
    while (first < trace.length && trace[first]!.getFileName() === HANDLER) first++;
    const top = trace[first];
    // Without a function on it, the promise follows another one: what has rejected that is over.
    if (top === undefined || top.isAsync()) return UNKNOWN;
    const by = isPrograms(top) ? top : typeof top.getFileName() === 'string' ? undefined : trace[first + 1];
    if (by === undefined || by.isAsync() || !isPrograms(by)) return UNKNOWN;
    const rejecter = addressOf(by);
    // An async function rejects its own promise when it throws: it stands at its end by then.
    if (by === top) return { rejecter, maker: rejecter, at: functionWords(texts, by as PlacedSite) };
    const place = sitePlace(texts, by as PlacedSite);
    const at = place === undefined ? '' : placeWords(place.file, place.line, place.column);
    const maker = top.getFunctionName() === 'reject' ? rejecter : makerOf(trace, first + 2);
    return { rejecter, maker, at };
  };

  /** Who called `new Promise`, while its function runs; 0: it has returned. */
  const makerOf = (trace: readonly StackSite[], from: number): number => {
    for (let i = from; i + 1 < trace.length && !trace[i]!.isAsync(); i++) {
      const site = trace[i]!;
      if (typeof site.getFileName() !== 'string' && site.getFunctionName() === 'Promise' && isPrograms(trace[i + 1]!))
        return addressOf(trace[i + 1]!);
    }
    return 0;
  };

  return function findRejection() {
    let found = UNKNOWN;
    try {
      captureStack((trace) => (found = read(trace)), findRejection, LIMIT);
    } catch {
      // The stack is full.
    }
    return found;
  };
};
