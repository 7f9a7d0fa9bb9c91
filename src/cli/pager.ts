import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Set for the command that runs below a pager: its output is read by a person though it is no terminal. */
const BELOW_PAGER = 'FENTRY_PAGED';

/** Whether what is written to stdout is for a person's eyes. */
export const isForEyes = (): boolean => process.stdout.isTTY === true || process.env[BELOW_PAGER] === '1';

/** Whether colours are wanted: https://no-color.org */
export const wantsColour = (): boolean => isForEyes() && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';

/**
 * On a terminal, runs the same command again with its output in the user's pager.
 * @returns the exit code, or undefined when there is no terminal, no pager, or none is wanted: then the caller writes itself
 */
export function throughPager(): number | undefined {
  const pager = process.env['PAGER'] ?? 'less -FRX';
  if (!process.stdout.isTTY || pager === '' || pager === 'cat' || !isThere(pager)) return undefined;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const env = { ...process.env, [BELOW_PAGER]: '1' };
  const { status } = spawnSync('sh', ['-c', `"$@" | ${pager}`, 'sh', ...command], { stdio: 'inherit', env });
  return status ?? 0;
}

/** Whether the shell would find the first word of a command; if it is more than a plain word, only the shell can tell. */
function isThere(command: string): boolean {
  const [word = ''] = command.trim().split(/\s+/);
  if (!/^[\w./+-]+$/.test(word)) return true;
  const paths = word.includes('/') ? [word] : (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, word));
  return paths.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
