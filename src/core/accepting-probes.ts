import { statSync } from 'node:fs';
import type { Errno } from '../base/errno.js';
import type { Fetch, ProbeDefinition } from '../probes/probe-definition.js';
import { ProbeRefusal } from '../probes/probe-errors.js';
import type { ProbeBackend, ProbeHits } from './probe-backend.js';

const namesOf = (fetch: Fetch): readonly string[] => {
  if (fetch.kind === 'symbol') return [fetch.name];
  return fetch.kind === 'member' || fetch.kind === 'dereference' ? namesOf(fetch.of) : [];
};

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

  check({ args }: ProbeDefinition): void {
    const missing = args.flatMap(({ fetch }) => namesOf(fetch)).some((name) => !this.#hasSymbol(name));
    if (missing) throw new ProbeRefusal('BAD_PROBE_ADDR', '', undefined, 'ENOENT');
  }

  added(): void {}
  removed(): void {}

  hits(): ProbeHits {
    return { hits: 0, missed: 0 };
  }
}
