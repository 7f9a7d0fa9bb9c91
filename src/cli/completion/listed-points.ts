import { chosenProcess } from '../../client/processes.js';
import { sourceOf } from '../script/run-script.js';
import { ScriptSession } from '../script/script-session.js';

/** The points that a process lists for a text, as `fentry stap -l` prints them. */
export async function listedPoints(points: string, pid: number | undefined): Promise<readonly string[]> {
  const { socketPath } = await chosenProcess(pid);
  const session = await ScriptSession.open(socketPath, 'stap');
  try {
    await session.start(sourceOf({ language: 'stap', file: '<input>', text: '', words: ['-l', points, '--'] }));
    return (await session.read('output')).split('\n').filter((line) => line !== '');
  } finally {
    session.close();
  }
}
