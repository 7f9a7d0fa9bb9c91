import type { SiteTable } from '../elf/site-tables.js';
import type { BuiltFrame, NativeSite, ReturnSlot, SiteForm, SiteUse } from './site.js';

/** A site that the compiler has left, on any machine: what is left to each is how its bytes look. */
export abstract class CompiledSite implements NativeSite {
  readonly address: number;
  readonly form: SiteForm;
  readonly table: SiteTable | undefined;
  readonly compiled: Uint8Array;
  readonly returnSlot: ReturnSlot;
  readonly frame: BuiltFrame | undefined;

  constructor(site: Pick<NativeSite, 'address' | 'form' | 'table' | 'compiled' | 'returnSlot' | 'frame'>) {
    this.address = site.address;
    this.form = site.form;
    this.table = site.table;
    this.compiled = site.compiled;
    this.returnSlot = site.returnSlot;
    this.frame = site.frame;
  }

  get resume(): number {
    return this.address + this.compiled.length;
  }

  get hasArguments(): boolean {
    return true;
  }

  abstract get nop(): Uint8Array;
  abstract armed(target: number, use: SiteUse): Uint8Array;
  abstract body(at: number): Uint8Array;
}
