import type { LivepatchNews, Replacement, WantedVariable } from '../../ftrace/tracers/diversions.js';
import type { VariablesRequest } from '../breakpoints/reach-variables.js';
import type { FaultNeeds } from './thread-faults.js';

/** The functions of a loaded file. */
export interface LoadedReplacements {
  readonly functions: ReadonlyMap<string, (...args: never[]) => unknown>;
  readonly replacements: readonly Replacement[];
  /** The file's `klpSymbols`, whose properties become variables of the program. */
  readonly symbols?: object | undefined;
  readonly variables: readonly WantedVariable[];
}

/** What live patches need from their thread. */
export interface LivepatchNeeds extends FaultNeeds {
  /** Loads the file of a patch; rejects with what the file throws, or with an Error that says why it cannot be used. */
  load(url: string): Promise<LoadedReplacements>;
  /** Reaches variables of a module as soon as the thread has it. Returns what ends that. */
  reach(request: VariablesRequest): () => void;
  tell(patch: number, news: LivepatchNews): void;
  /** Calls `run` when nothing of the program is on the stack. */
  afterTurn(run: () => void): void;
}
