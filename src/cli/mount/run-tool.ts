import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs a tool of the system. Returns its exit code and its stderr; 127 if the tool does not exist.
 * @param third becomes its file descriptor 3
 */
export async function runTool(
  [file = '', ...args]: readonly string[],
  third?: number,
): Promise<{ readonly code: number; readonly said: string }> {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe', third ?? 'ignore'] });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(127));
  });
  const said = await text(child.stderr!).catch(() => '');
  return { code: await ended, said: said.trim() };
}
