import { asTraceError } from '../../base/errno.js';
import { buildLivepatchHandler } from '../code/livepatch-handler.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import type { AddressRange } from '../process/address-range.js';
import { ReplacedSite } from '../text/replaced-site.js';
import type { NativeSite } from '../text/site.js';
import type { NativeTexts } from './native-texts.js';
import type { SiteTarget, SiteTargets } from './site-targets.js';

/** A function whose calls lead to the handler of a live patch. */
export interface ReplacedFunction {
  readonly site: NativeSite;
  /** Where its site goes to while nothing else wants its calls. */
  readonly target: SiteTarget;
  /** The code of the handler behind its start. */
  readonly handler: AddressRange;
}

/** The functions of live patches, by their numbers. */
export class NativeReplacements {
  readonly #texts: NativeTexts;
  readonly #targets: SiteTargets;
  readonly #tidOffset: number | undefined;
  readonly #replaced = new Map<number, ReplacedFunction>();

  /** @param tidOffset bytes from the thread pointer to the thread's id, if the C library keeps that */
  constructor(texts: NativeTexts, targets: SiteTargets, tidOffset: number | undefined) {
    this.#texts = texts;
    this.#targets = targets;
    this.#tidOffset = tidOffset;
  }

  /**
   * Makes the handler of a function, to which its site leads when it is armed next. Returns why that cannot be, as a sentence.
   * @param replacement the address of the function that may run in its place
   * @param state the address of the word that says whether it does
   */
  prepare(n: number, replacement: number, state: number): string | undefined {
    const site = this.#texts.function(n)?.one.site;
    if (site === undefined || site.returnSlot !== 'top') return 'its site is not at its entry: nothing else can run in its place';
    try {
      let end = 0;
      const start = this.#targets.near(site.address, (_common, address) => {
        const bytes = buildLivepatchHandler(address, {
          ...{ machine: LOCAL_MACHINE, site, replacement, state },
          tidOffset: this.#tidOffset,
        });
        end = address + bytes.length;
        return bytes;
      });
      this.#replaced.set(n, {
        site: new ReplacedSite(site, start),
        target: { address: start, use: 'jump' },
        // Who stands at its start has not chosen yet.
        handler: { start: start + 1, end },
      });
      return undefined;
    } catch (error) {
      return asTraceError(error).message;
    }
  }

  forget(n: number): void {
    this.#replaced.delete(n);
  }

  of(n: number): ReplacedFunction | undefined {
    return this.#replaced.get(n);
  }
}
