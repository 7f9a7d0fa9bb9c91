import { listedFunction } from '../../answers/functions/functions-text.js';
import type { LiveChange, NodeProcess } from '../../answers/live/live-answer.js';
import type { Place } from '../../answers/place.js';
import { moveFocus } from '../move-focus.js';
import { isHelpOpen, message } from '../state.js';
import type { LiveActionId } from './live-keys.js';
import { EndedError } from './live-server.js';
import {
  changes,
  folder,
  functions,
  hasEnded,
  isPrepared,
  lastBt,
  pid,
  problem,
  processes,
  server,
  shownSource,
  slowTurns,
  start,
  view,
} from './live-state.js';
import { LIVE_VIEWS, type LiveViewId } from './live-views.js';

/** Shows a view. */
export function showView(id: LiveViewId): void {
  view.value = id;
  message.value = LIVE_VIEWS.find((one) => one.id === id)!.title;
}

/** Shows a process, from the beginning. */
export function showProcess(wanted: number): void {
  pid.value = wanted;
  hasEnded.value = false;
  problem.value = '';
  lastBt.value = undefined;
  slowTurns.value = [];
  functions.value = undefined;
  shownSource.value = undefined;
  changes.value = [];
  folder.value = processes.value.find((one) => one.pid === wanted)?.folder ?? '';
  showView('now');
  if (isPrepared.value) void readChanges();
}

/** Reads which processes there are. */
export async function readProcesses(): Promise<void> {
  processes.value = await server.get<readonly NodeProcess[]>('/live/processes');
}

/** Begins: with the process that the server names, or with the list. */
export async function begin(): Promise<void> {
  try {
    start.value = await server.get('/live/ui');
    await readProcesses();
  } catch (error) {
    problem.value = (error as Error).message;
    return;
  }
  if (start.value?.pid !== undefined) showProcess(start.value.pid);
  else showView('processes');
}

/** Looks whether a process has ended, because what came of it has. */
export async function checkEnded(wanted: number): Promise<void> {
  try {
    await server.get('/live/load', { pid: wanted });
  } catch (error) {
    if (error instanceof EndedError && pid.value === wanted) hasEnded.value = true;
  }
}

/** Reads what pages have changed in the process: another page may have, too. */
export async function readChanges(): Promise<void> {
  changes.value = await server.get<readonly LiveChange[]>('/live/changes', { pid: pid.value! }).catch(() => changes.value);
}

/** Writes to a file of the process. Rejects with the words of the file. */
export async function write(path: string, text: string, append = false): Promise<void> {
  changes.value = await server.post('/live/write', { pid: pid.value!, path, text, append });
}

/** Gives the process back what pages have changed. */
export async function putBack(): Promise<void> {
  try {
    changes.value = await server.post('/live/put-back', { pid: pid.value! });
    message.value = 'all that this page has changed is put back';
  } finally {
    await readChanges();
  }
}

/** Reads the functions of the process, unless they are known. */
export async function readFunctions(): Promise<void> {
  if (functions.value !== undefined) return;
  const text = await server.file(pid.value!, 'function_places');
  functions.value = text.split('\n').flatMap((line) => listedFunction(line) ?? []);
}

/** Shows the source of a place. */
export function showSource({ file, line }: Pick<Place, 'file' | 'line'>): void {
  shownSource.value = { file, line };
  showView('source');
}

/** The control that has a name, if the view has it now. */
const control = (name: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-action="${name}"]`);

/** Does what a key stands for. */
export function actLive(id: LiveActionId): void {
  if (id.startsWith('view-')) showView(id.slice('view-'.length) as LiveViewId);
  else if (id === 'help') isHelpOpen.value = !isHelpOpen.value;
  else if (id === 'escape') isHelpOpen.value = false;
  else if (id === 'up' || id === 'down') moveFocus(id === 'up' ? -1 : 1);
  else if (id === 'press') (document.activeElement as HTMLElement).click();
  else press(id);
}

/** Presses a control; a field gets the focus. */
function press(name: string): void {
  const found = control(name);
  if (found === null) return;
  const isField = found.matches('input:not([type=checkbox]), select');
  if (isField) found.focus();
  else found.click();
}
