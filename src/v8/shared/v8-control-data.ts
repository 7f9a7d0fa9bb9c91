import type { ControlData } from '../../port/control-data.js';
import type { ProcessShare } from './protocol.js';

/** What the control thread is started with. */
export interface V8ControlData extends ControlData {
  readonly share: ProcessShare;
  /** The TextLog of the thread on cpu 0, which starts the control thread. */
  readonly texts: SharedArrayBuffer;
  /** URL of the folder of fentry's own files. */
  readonly fentryFolder: string;
  /** The folder of the cache of texts; undefined for none. */
  readonly cacheFolder: string | undefined;
  /** The folders of prepared caches. */
  readonly preparedFolders: readonly string[];
  /** The permission model forbids processes, of which the tracing of native text starts some. */
  readonly mayNotStart: boolean;
  /** The V8 that the cache keeps code for, `v8Name`. */
  readonly v8: string;
}
