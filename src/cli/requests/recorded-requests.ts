import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { RequestFold } from '../../answers/requests/fold-requests.js';
import type { RequestsAnswer } from '../../answers/requests/requests-answer.js';
import { TraceLines } from '../../answers/requests/trace-lines.js';
import { TraceError } from '../../base/errno.js';
import { recordedFrame } from './function-frames.js';

/**
 * The requests of a recording, from what `fentry report` prints of it.
 * @throws TraceError EIO if it cannot be read: the report has said why
 */
export async function recordedRequests(file: string): Promise<RequestsAnswer> {
  const report = spawn(process.execPath, [process.argv[1]!, 'report', '-i', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(report, 'close');
  const fold = new RequestFold();
  const lines = new TraceLines((event) => fold.take(event));
  for await (const line of createInterface({ input: report.stdout })) lines.line(line);
  lines.end();
  const [code] = (await closed) as [number | null];
  if (code !== 0) throw new TraceError('EIO', `${file} could not be read`);
  return fold.answer({ pid: 0, application: '' }, recordedFrame);
}
