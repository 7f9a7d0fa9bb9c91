import { MovedSite } from '../../text/moved-site.js';
import { movedCode } from './move.js';
import { branchAndNop } from './site.js';

/** A site of as many instructions as a jump takes the place of. */
export class JumpSite extends MovedSite {
  protected jumpTo(target: number): Uint8Array {
    return branchAndNop('jump', this.address, target, this.compiled.length);
  }

  body(at: number): Uint8Array {
    return movedCode({ code: this.compiled, address: this.address }, 0, this.moved, at);
  }
}
