import { computed, signal } from '@preact/signals';
import type { BtAnswer } from '../../answers/bt/bt-answer.js';
import type { LiveChange, NodeProcess, UiStart } from '../../answers/live/live-answer.js';
import type { Frame } from '../../answers/place.js';
import type { SlowTurn } from '../../answers/slow/slow-answer.js';
import { LiveServer } from './live-server.js';
import type { LiveViewId } from './live-views.js';

/** The server, with the token of the link. */
export const server = new LiveServer(location.hash.slice(1));

/** How the page was started; undefined until the server has said. */
export const start = signal<UiStart | undefined>(undefined);
export const isReadOnly = computed(() => start.value?.isReadOnly === true);
export const processes = signal<readonly NodeProcess[]>([]);
/** The process that is shown. */
export const pid = signal<number | undefined>(undefined);
export const shownProcess = computed(() => processes.value.find((one) => one.pid === pid.value));
/** Whether it has ended. */
export const hasEnded = signal(false);
/** Whether files of its tree can be read. */
export const isPrepared = computed(() => shownProcess.value?.isPrepared === true);
export const view = signal<LiveViewId>('now');
/** Whether the process is left alone. */
export const isPaused = signal(false);
/** What cannot be done with the process at all. */
export const problem = signal('');
/** What pages have changed in it. */
export const changes = signal<readonly LiveChange[]>([]);

/** What the process did when it was last looked at. */
export const lastBt = signal<BtAnswer | undefined>(undefined);
/** The folder of the application: places are shown relative to it. */
export const folder = signal('');
/** The slow turns that came, the newest first. */
export const slowTurns = signal<readonly SlowTurn[]>([]);
export const slowMs = signal(50);
/** The functions of the process with their places; undefined: not read yet. */
export const functions = signal<readonly Frame[] | undefined>(undefined);
/** Whether functions of packages and of Node are shown too. */
export const isAll = signal(false);

/** A place in a source; `line` 0: its beginning. */
export const shownSource = signal<{ readonly file: string; readonly line: number } | undefined>(undefined);
