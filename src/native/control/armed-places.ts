import { asTraceError } from '../../base/errno.js';
import { isRefused, Refused } from '../../base/refused.js';
import { buildPlaceThunk } from '../code/probed-thunk.js';
import type { ChangeQueue } from './change-queue.js';
import type { NativeTraps } from './native-traps.js';
import type { FoundCode, ProbedTexts } from './probed-texts.js';
import type { SiteTargets } from './site-targets.js';

/** What places are armed with. */
export interface ArmingNeeds {
  readonly queue: ChangeQueue;
  readonly targets: SiteTargets;
  readonly texts: ProbedTexts;
  readonly traps: NativeTraps;
}

/** The places in the middle of functions whose text leads to probes: by a jump, or where none fits by a breakpoint. */
export class ArmedPlaces {
  readonly #needs: ArmingNeeds;
  /** By address: what was there, and what is there now. */
  readonly #armed = new Map<number, { readonly code: FoundCode; readonly bytes: Uint8Array }>();

  constructor(needs: ArmingNeeds) {
    this.#needs = needs;
  }

  has(address: number): boolean {
    return this.#armed.has(address);
  }

  /** The code of a place; or why no probe can stand there now. */
  codeAt(address: number): FoundCode | Refused {
    const code = this.#needs.texts.codeAt(address);
    if (isRefused(code)) return code;
    const end = address + code.compiled.length;
    for (const [other, armed] of this.#armed) {
      if (other === address) continue;
      if (other < end && other + armed.code.compiled.length > address)
        return new Refused('has instructions that were moved for another probe');
    }
    return code;
  }

  /**
   * Makes a place lead to its probes, with the next stop.
   * @param number of the probed place
   * @param failed called with the reason, as a sentence about the place, if that cannot be: at once, or at the stop
   */
  arm(address: number, number: number, failed: (why: string) => void): void {
    const { queue, targets, traps } = this.#needs;
    const refused = (why: string): void => {
      this.#armed.delete(address);
      failed(`cannot be changed: ${why}`);
    };
    const code = this.codeAt(address);
    if (isRefused(code)) {
      failed(code.why);
      return;
    }
    try {
      const thunk = targets.near(address, (common, at) => buildPlaceThunk(common, at, number, (body) => code.body(body)));
      const untaken = code.isTrap ? traps.lead(address, thunk) : undefined;
      if (untaken !== undefined) {
        failed(untaken);
        return;
      }
      const bytes = code.armed(thunk);
      this.#armed.set(address, { code, bytes });
      const isMoved = code.instructions > 1 ? { isMoved: true as const } : {};
      queue.addText([{ address, bytes, from: [code.compiled], refused, ...isMoved }]);
    } catch (error) {
      refused(asTraceError(error).message);
    }
  }

  /** Makes the text of a place what it was, with the next stop. */
  disarm(address: number): void {
    const armed = this.#armed.get(address);
    if (armed === undefined) return;
    this.#armed.delete(address);
    this.#needs.queue.addText([{ address, bytes: armed.code.compiled, from: [armed.bytes] }]);
  }
}
