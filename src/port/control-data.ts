import type { Parameters } from './parameters.js';

/** What the control side is started with, whatever its port. */
export interface ControlData {
  readonly parameters: Parameters;
  /** The folder in which the program works; absent: this process's. */
  readonly folder?: string | undefined;
  /** Path of the socket; its folder is checked or made. */
  readonly socketPath: string;
  /** Whether fentry was attached to a running program, and can be detached from it. */
  readonly isAttached: boolean;
  /** Whether FENTRY is set, so that problems are reported on stderr. */
  readonly isAsked: boolean;
}
