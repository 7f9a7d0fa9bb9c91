import type { Parameters } from './parameters.js';
import type { ProcessShare } from './protocol.js';

/** What the control thread is started with. */
export interface ControlData {
  readonly share: ProcessShare;
  readonly parameters: Parameters;
  /** The TextLog of the thread on cpu 0, which starts the control thread. */
  readonly texts: SharedArrayBuffer;
  /** Path of the socket; its folder is checked or made. */
  readonly socketPath: string;
  /** URL of the folder of fentry's own files. */
  readonly ownFolder: string;
  /** Of transformed texts; undefined for none. */
  readonly cacheFolder: string | undefined;
  /** Whether the agent came to a running program, and may be taken out of it. */
  readonly isAttached: boolean;
  /** Whether somebody set FENTRY, and so wants to be told on stderr what went wrong. */
  readonly isAsked: boolean;
}
