import type { Parameters } from './parameters.js';

/** What the control side is started with, whatever its port. */
export interface ControlData {
  readonly parameters: Parameters;
  /** Path of the socket; its folder is checked or made. */
  readonly socketPath: string;
  /** Whether fentry came to a running program, and may be taken out of it. */
  readonly isAttached: boolean;
  /** Whether somebody set FENTRY, and so wants to be told on stderr what went wrong. */
  readonly isAsked: boolean;
}
