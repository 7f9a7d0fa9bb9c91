import { FRAME_MASK } from '../../ftrace/fgraph.js';
import { MOST_BREAKPOINTS } from '../../port/limits.js';
import { BreakpointCells } from '../breakpoints/breakpoint-cells.js';
import type { BreakpointText, LoadedScript } from '../breakpoints/breakpoint-text.js';
import type { FindCaller } from '../call-stack.js';
import type { AddressOfForeign } from '../realm/capture-callers.js';
import type { Realm } from '../realm/realm.js';
import type { ThreadEvent } from '../shared/protocol.js';
import type { PortCells } from '../tracers/cells.js';
import { HIT_LIMITS, milliseconds } from './thread-breakpoints.js';

/** How cells send messages to the control thread. */
export interface Teller {
  tell(event: ThreadEvent): void;
}

/** Cells that reach functions without sites. */
export interface AttachedCells extends PortCells {
  /** The scripts of the thread. */
  scripts(): readonly LoadedScript[];
  source(scriptId: string): string;
  /** Places in a text without sites have addresses from now on. */
  addText(file: string, base: number): void;
  /** Functions of this text can be armed from now on. */
  describe(text: BreakpointText): void;
  /** What finds the callers of functions with sites, and of those without. */
  findCaller(find: FindCaller): FindCaller;
  /** Whether a breakpoint's condition is being evaluated. */
  readonly isHitting: boolean;
  /** Undoes all changes in the thread. */
  end(): void;
}

/** The cells of a thread that fentry was attached to: breakpoints reach functions without sites. */
export function breakpointCells({ cells, texts }: Realm, thread: () => Teller, foreign: () => AddressOfForeign): AttachedCells {
  return new BreakpointCells({
    cells,
    texts,
    global: globalThis,
    addressOfForeign: (file, name) => foreign()(file, name),
    clock: milliseconds,
    depthOf: (token) => token & FRAME_MASK,
    limits: HIT_LIMITS,
    most: MOST_BREAKPOINTS,
    overheated: (n) => thread().tell({ type: 'overheated', n }),
    refused: (n) => thread().tell({ type: 'unreached', n }),
  });
}
