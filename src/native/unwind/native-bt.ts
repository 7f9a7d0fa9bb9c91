import type { BtAnswer } from '../../answers/bt/bt-answer.js';
import { workingFolder } from '../../base/working-folder.js';
import type { StackLook } from '../../port/inspect.js';

/** The answer `bt` of a process whose JavaScript, if it runs any, is not asked. @throws TraceError as StackLook */
export async function nativeBt(pid: number, look: StackLook): Promise<BtAnswer> {
  const application = workingFolder(pid);
  const { threads } = await look.read([]);
  return { answer: 'bt', version: 1, pid, application, threads: [], others: threads };
}
