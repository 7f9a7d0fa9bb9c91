import type { SiteTable } from '../elf/site-tables.js';
import type { NativeSite, ReturnSlot, SiteForm, SiteUse } from './site.js';

/** A site that the compiler has left, on any machine: what is left to each is how its bytes look. */
export abstract class CompiledSite implements NativeSite {
  readonly address: number;
  readonly form: SiteForm;
  readonly table: SiteTable | undefined;
  readonly compiled: Uint8Array;
  readonly returnSlot: ReturnSlot;

  constructor(site: Pick<NativeSite, 'address' | 'form' | 'table' | 'compiled' | 'returnSlot'>) {
    this.address = site.address;
    this.form = site.form;
    this.table = site.table;
    this.compiled = site.compiled;
    this.returnSlot = site.returnSlot;
  }

  get resume(): number {
    return this.address + this.compiled.length;
  }

  abstract get nop(): Uint8Array;
  abstract armed(target: number, use: SiteUse): Uint8Array;
  abstract body(at: number): Uint8Array;
}
