import type { PromiseAges } from '../async/context-ages.js';
import type { HandleOrigins } from '../async/handle-origins.js';
import type { TurnLook, TurnSample } from '../shared/turn-sample.js';
import type { BundleCode } from './bundle-code.js';
import type { Left } from './launch.js';
import type { ProgramInterface } from './program-interface.js';

/** The agent as other copies of fentry and the inspector's interrupt find it. */
export interface Agent {
  readonly program: ProgramInterface;
  /** Who made each handle of the thread; present with FENTRY=handles. */
  readonly origins?: HandleOrigins;
  /** How long ago promises were made; undefined while async contexts are not followed. */
  readonly agesOf: (promises: readonly object[]) => PromiseAges | undefined;
  /** Obeys what waits. */
  readonly interrupt: () => void;
  /** What runs now, for the watch of long turns of the event loop. */
  readonly sampleTurn: (look: TurnLook) => TurnSample | undefined;
  /** Starts the control thread; false if it was started before. In the main thread. */
  readonly startControl?: () => boolean;
  /** Stores V8's code of fentry's own bundles when the program and the agent have run their last code. In the main thread. */
  readonly atEnd?: (code: Pick<BundleCode, 'store'>) => void;
}

/** Properties of `process`. */
const AGENT = Symbol.for('fentry.agent');
const LEFT = Symbol.for('fentry.left');

type Holder = object;

const set = (holder: Holder, key: symbol, value: unknown): void => {
  Object.defineProperty(holder, key, { value, enumerable: false, configurable: true, writable: true });
};
const get = (holder: Holder, key: symbol): unknown => (holder as Record<symbol, unknown>)[key];

/** The thread's agent, if one runs. */
export const agentOf = (holder: Holder): Agent | undefined => get(holder, AGENT) as Agent | undefined;
export const setAgent = (holder: Holder, agent: Agent): void => set(holder, AGENT, agent);
export const forgetAgent = (holder: Holder): void => void Reflect.deleteProperty(holder, AGENT);

/** What a detached agent left in the thread. */
export const leftOf = (holder: Holder): Left | undefined => get(holder, LEFT) as Left | undefined;
export const setLeft = (holder: Holder, left: Left): void => set(holder, LEFT, left);
