import { HistNames } from '../../events/hist/index.js';
import type { SyntheticEvents } from '../../events/synthetic/synthetic-events.js';
import { DynamicEvents } from '../events/dynamic-events.js';
import { dynamicSynthetics } from '../events/dynamic-synthetic.js';
import type { SharedHists } from '../events/instance-hists.js';
import { dynamicUserEvents } from '../events/user-events.js';
import { ProbeEvents, type ProbeEventsHost, type ProbeEventsNeeds } from './probe-events.js';

/** The events that files define, and the names of histograms: all instances share them. */
export class DefinedEvents implements SharedHists {
  readonly names = new HistNames();
  /** All of them, as dynamic_events lists them. */
  readonly dynamic: DynamicEvents;
  readonly synthetic: SyntheticEvents;
  /** Events that probes are. */
  readonly probes: ProbeEvents;

  /** @param logError notes a refusal in the error log of the top level */
  constructor(process: ProbeEventsNeeds, logError: ProbeEventsHost['logError']) {
    this.dynamic = new DynamicEvents(() => dynamicUserEvents(process.events));
    this.synthetic = dynamicSynthetics(process.events, this.dynamic, logError);
    this.probes = new ProbeEvents(process, { dynamicEvents: this.dynamic, logError });
  }
}
