import { wordsOf } from '../register.js';
import { regsOf } from './function-kprobes.js';
import type { Fprobe, FprobeOptions, ProbedCall } from './kprobe.js';
import type { KprobePlanner } from './kprobe-planner.js';
import { NO_EXIT, type ProbeOps } from './probe-ops.js';
import { type ProbeHost, ProgramProbe } from './program-probe.js';
import { SiteSubscription } from './site-subscription.js';

/** An fprobe and its functions (kernel/trace/fprobe.c). */
export class FunctionFprobe implements ProbeOps, ProbeHost {
  readonly name = 'fprobe_handler';
  readonly probe: ProgramProbe & Fprobe;
  readonly #options: FprobeOptions;
  readonly #planner: KprobePlanner;
  readonly #sites: SiteSubscription;

  constructor(id: number, options: FprobeOptions, planner: KprobePlanner) {
    this.#options = options;
    this.#planner = planner;
    this.probe = new ProgramProbe(id, options.disabled !== true, {
      setState: () => {},
      failed: (error) => planner.failed(error),
    });
    const words = { filter: wordsOf(options.filter), notrace: wordsOf(options.notrace) };
    this.#sites = new SiteSubscription(id, this, words, planner);
  }

  leave(): void {}

  arrange(): Promise<void> {
    return this.#sites.set(() => this.probe.isEnabled);
  }

  entry(n: number, self: unknown, args: readonly unknown[]): unknown {
    const { probe } = this;
    const { entryHandler, exitHandler } = this.#options;
    if (!probe.isEnabled) return NO_EXIT;
    const call: ProbedCall<Fprobe> = { probe, ip: this.#planner.addressOf(n), data: undefined };
    const isSkipped = entryHandler !== undefined && probe.call(() => entryHandler(call, regsOf(self, args)));
    return isSkipped || exitHandler === undefined || !probe.isEnabled ? NO_EXIT : call;
  }

  exit(_n: number, kept: unknown, value: unknown, unwound: boolean): void {
    const { probe } = this;
    if (!probe.isEnabled) return;
    probe.call(() => this.#options.exitHandler!(kept as ProbedCall<Fprobe>, regsOf(undefined, [], value, unwound)));
  }

  missed(): void {
    if (this.probe.isEnabled) this.probe.missed++;
  }
}
