import type { SampledCall } from '../../../answers/slow/sampled-turn.js';

/** The most functions that are remembered. */
const MOST = 1000;

/** The application's functions that were on a stack, by their names. */
export class SeenFunctions {
  /** Undefined: several functions have the name. */
  readonly #byName = new Map<string, SampledCall | undefined>();

  see(call: SampledCall): void {
    const { name, isOwn } = call.frame;
    if (!isOwn || call.from === undefined) return;
    if (!this.#byName.has(name)) {
      if (this.#byName.size === MOST) this.#byName.clear();
      this.#byName.set(name, { ...call, frame: { ...call.frame, place: call.from }, isAsync: false });
      return;
    }
    const known = this.#byName.get(name)?.from;
    const { file, line, column } = call.from;
    const isSame = known?.file === file && known.line === line && known.column === column;
    if (!isSame) this.#byName.set(name, undefined);
  }

  /** A function by its name, with its place if it was seen, and no other one of that name. */
  get(name: string): SampledCall {
    return this.#byName.get(name) ?? { frame: { name: name === '' ? '<anonymous>' : name, isOwn: true }, isAsync: false };
  }
}
