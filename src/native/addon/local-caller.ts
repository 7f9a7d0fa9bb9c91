import type { RemoteArgument, RemoteCall } from '../process/borrowed-stub.js';
import type { AnyCall, Caller } from '../process/caller.js';
import { checkResults } from '../process/remote-calls.js';
import type { LocalProcess } from './local-process.js';
import type { SeccompFilter } from './seccomp-filter.js';

/** Makes calls in this process itself. */
export class LocalCaller implements Caller {
  readonly #local: LocalProcess;
  readonly #filter: SeccompFilter;

  constructor(local: LocalProcess, filter: SeccompFilter) {
    this.#local = local;
    this.#filter = filter;
  }

  /** @throws TraceError EPERM if the thread has a seccomp filter */
  run<T>(calls: readonly AnyCall[], meanwhile: (results: readonly number[]) => T, last: readonly RemoteCall[] = []): T {
    this.#filter.check();
    const results: number[] = [];
    for (const call of calls) results.push(this.#make(call, results));
    try {
      return meanwhile(results);
    } finally {
      for (const call of last) this.#make(call, results);
    }
  }

  call(calls: readonly AnyCall[]): readonly number[] {
    const results = this.run(calls, (all) => all);
    checkResults(calls, results);
    return results;
  }

  #make(call: AnyCall, results: readonly number[]): number {
    if ('address' in call) return Number(this.#local.call(call.address, ...call.args));
    // Bytes lie where they are until the call is over.
    const held: Uint8Array[] = [];
    const argument = (arg: RemoteArgument): number => {
      if (typeof arg === 'number') return arg;
      if ('result' in arg) return results[arg.result]!;
      const bytes = new Uint8Array(new SharedArrayBuffer(arg.bytes.length));
      bytes.set(arg.bytes);
      held.push(bytes);
      return this.#local.addressOf(bytes);
    };
    return Number(this.#local.rawSystemCall(call.nr, ...call.args.map(argument)));
  }
}
