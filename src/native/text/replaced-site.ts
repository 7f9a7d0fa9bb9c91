import { LOCAL_MACHINE } from '../machines/machines.js';
import type { NativeSite, ReturnSlot, SiteForm } from './site.js';

/** The site of a function of a live patch: what goes on behind it is the patch's handler. */
export class ReplacedSite implements NativeSite {
  readonly form: SiteForm = 'jump';
  readonly returnSlot: ReturnSlot = 'top';
  readonly hasArguments = true;
  readonly handler: number;
  readonly #site: NativeSite;

  /**
   * @param site the function's own, before anything of it has run
   * @param handler the address of the handler
   */
  constructor(site: NativeSite, handler: number) {
    this.#site = site;
    this.handler = handler;
  }

  get address(): number {
    return this.#site.address;
  }

  get compiled(): Uint8Array {
    return this.#site.compiled;
  }

  get nop(): Uint8Array {
    return this.#site.nop;
  }

  get resume(): number {
    return this.#site.resume;
  }

  armed(target: number): Uint8Array {
    return this.#site.armed(target, 'jump');
  }

  body(at: number): Uint8Array {
    const code = LOCAL_MACHINE.assembler(at);
    code.jumpFar(this.handler);
    return code.finish();
  }
}
