import { statSync } from 'node:fs';
import type { Errno } from '../../src/base/errno.js';
import type { ProbeBackend, ProbeHits } from '../../src/control/probes/probe-backend.js';
import { fetchRoot } from '../../src/probes/fetch-root.js';
import type { ProbeDefinition } from '../../src/probes/probe-definition.js';
import { ProbeRefusal } from '../../src/probes/probe-errors.js';

/** Accepts every probe and hits none: for a process without threads of a program. */
export class AcceptingProbes implements ProbeBackend {
  readonly #hasSymbol: (name: string) => boolean;

  /** @param hasSymbol whether `@NAME` is there */
  constructor(hasSymbol: (name: string) => boolean) {
    this.#hasSymbol = hasSymbol;
  }

  file(path: string): 'regular' | 'other' | Errno {
    try {
      return statSync(path).isFile() ? 'regular' : 'other';
    } catch (error) {
      return (error as { readonly code: string }).code as Errno;
    }
  }

  async check(definition: ProbeDefinition): Promise<ProbeDefinition> {
    const { args } = definition;
    const roots = args.map(({ fetch }) => fetchRoot(fetch));
    const missing = roots.some((root) => root.kind === 'symbol' && !this.#hasSymbol(root.name));
    if (missing) throw new ProbeRefusal('BAD_PROBE_ADDR', '', undefined, 'ENOENT');
    return definition;
  }

  added(): void {}
  removed(): void {}

  hits(): ProbeHits {
    return { hits: 0, missed: 0 };
  }
}
