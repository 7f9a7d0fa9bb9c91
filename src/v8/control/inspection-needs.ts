import type { KnownThread } from '../inspect/collect-bt.js';
import type { ThreadHolds } from '../inspect/thread-holds.js';
import type { Asker } from '../shared/control-block.js';
import type { MainSession } from './main-session.js';
import type { WorkerGate } from './worker-evaluations.js';

/** What inspections of the threads of this process need. */
export interface InspectionNeeds {
  /** Whether Node permits an inspector. */
  readonly mayInspect: boolean;
  readonly main: MainSession;
  /** Which threads a session holds. */
  readonly holds: ThreadHolds;
  /** Which workers may be asked, by who asks. */
  readonly gates: Readonly<Record<Exclude<Asker, 'interrupter'>, WorkerGate>>;
  /** The program's threads. */
  known(): readonly KnownThread[];
}
