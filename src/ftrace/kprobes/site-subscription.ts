import { FTRACE_OPS_FL } from '../ops.js';
import type { SubscriberRequest } from '../register.js';
import type { KprobePlanner } from './kprobe-planner.js';
import type { ProbeOps } from './probe-ops.js';

/** Which functions the sites of probes are asked for. */
export type SitesOfProbes = Pick<SubscriberRequest, 'functions' | 'filter' | 'notrace'>;

/** Has sites call probes while any of them is on. */
export class SiteSubscription {
  readonly #id: number;
  readonly #ops: ProbeOps;
  readonly #sites: SitesOfProbes;
  readonly #planner: KprobePlanner;
  #isOn = false;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(id: number, ops: ProbeOps, sites: SitesOfProbes, planner: KprobePlanner) {
    this.#id = id;
    this.#ops = ops;
    this.#sites = sites;
    this.#planner = planner;
  }

  /**
   * One change after the other: a probe may be enabled while another is still being disabled. @param isWanted asked when its turn
   * comes
   */
  set(isWanted: () => boolean): Promise<void> {
    const changed = this.#settled.then(() => this.#change(isWanted()));
    this.#settled = changed.catch(() => {});
    return changed;
  }

  async #change(isWanted: boolean): Promise<void> {
    if (isWanted === this.#isOn) return;
    this.#isOn = isWanted;
    if (!isWanted) {
      this.#planner.removeSubscriber(this.#id);
      await this.#planner.unsubscribe(this.#id);
      return;
    }
    this.#planner.addProbe(this.#id, this.#ops);
    try {
      const flags = FTRACE_OPS_FL.SAVE_REGS | FTRACE_OPS_FL.EXIT;
      await this.#planner.subscribe({ id: this.#id, name: this.#ops.name, flags, isProbe: true, ...this.#sites });
    } catch (error) {
      this.#isOn = false;
      this.#planner.removeSubscriber(this.#id);
      throw error;
    }
  }
}
