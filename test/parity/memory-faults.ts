import { TraceError } from '../../src/base/errno.js';
import type { FaultAttribute, FaultInjection, InjectedFunction } from '../../src/control/faults/fault-injection.js';

/** The settings of error injection, without a program that fails. */
export class MemoryFaults implements FaultInjection {
  readonly #names: readonly string[];
  readonly #values = new Map<FaultAttribute, bigint>(Object.entries({ INTERVAL: 1n, TIMES: 1n, VERBOSE: 2n }) as never);
  #injected: InjectedFunction[] = [];

  /** @param names of the functions that can be made to fail */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get(attribute: FaultAttribute): bigint {
    return this.#values.get(attribute) ?? 0n;
  }

  set(attribute: FaultAttribute, value: bigint): void {
    this.#values.set(attribute, ['TIMES', 'SPACE'].includes(attribute) ? BigInt.asIntN(32, value) : value);
  }

  get injected(): readonly InjectedFunction[] {
    return this.#injected;
  }

  async inject(name: string): Promise<void> {
    if (!this.#names.includes(name)) throw new TraceError('EINVAL');
    if (this.#injected.some((one) => one.name === name)) throw new TraceError('EBUSY');
    this.#injected.push({ name, retval: '', condition: '' });
  }

  async remove(name: string): Promise<void> {
    const left = this.#injected.filter((one) => one.name !== name);
    if (left.length === this.#injected.length) throw new TraceError('ENOENT');
    this.#injected = left;
  }

  async removeAll(): Promise<void> {
    this.#injected = [];
  }

  async change(name: string, what: Partial<Pick<InjectedFunction, 'retval' | 'condition'>>): Promise<void> {
    this.#injected = this.#injected.map((one) => (one.name === name ? { ...one, ...what } : one));
  }
}
