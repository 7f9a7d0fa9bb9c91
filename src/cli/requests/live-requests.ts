import { createInterface } from 'node:readline';
import { RequestFold } from '../../answers/requests/fold-requests.js';
import type { RequestsAnswer } from '../../answers/requests/requests-answer.js';
import { TraceLines } from '../../answers/requests/trace-lines.js';
import { workingFolder } from '../../base/working-folder.js';
import type { TraceClient } from '../../client/trace-client.js';
import { UndoAtEnd } from '../../client/undo-at-end.js';
import { writeFile } from '../write-file.js';
import { functionFrames } from './function-frames.js';

/** What an instance of its own records: the contexts of the requests, and who awaits. */
export const REQUEST_SETTINGS: readonly (readonly [path: string, text: string])[] = [
  ['buffer_size_kb', '8192'],
  ['events/sched/sched_process_fork/trigger', 'stacktrace if child_comm == "PROMISE"'],
  ['events/sched/sched_process_fork/enable', '1'],
  ['events/sched/sched_waking/enable', '1'],
  ['events/sched/sched_switch/enable', '1'],
  ['events/http/server_request_start/enable', '1'],
  ['events/http/server_request_end/enable', '1'],
  ['events/gc/gc/enable', '1'],
];

/**
 * Follows the requests of a process until `end` aborts, or it ends. Its instance is removed then, also if this command is killed.
 * @throws TraceError as the files refuse
 */
export async function liveRequests(client: TraceClient, end: AbortSignal): Promise<RequestsAnswer> {
  const undo = await UndoAtEnd.connect(client.socketPath);
  const instance = `instances/requests-${process.pid}`;
  const fold = new RequestFold();
  const lines = new TraceLines((event) => fold.take(event));
  try {
    await undo.mkdir(instance);
    for (const [path, text] of REQUEST_SETTINGS) await writeFile(client, `${instance}/${path}`, text);
    const stream = await client.open(`${instance}/trace_pipe`, end);
    for await (const line of createInterface({ input: stream })) lines.line(line);
  } catch (error) {
    if (!end.aborted) throw error;
  } finally {
    lines.end();
    undo.close();
  }
  const frames = functionFrames(await client.read('function_places').catch(() => ''));
  const application = workingFolder(client.pid);
  return fold.answer({ pid: client.pid, application }, (name) => frames.get(name));
}
