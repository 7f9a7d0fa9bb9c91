import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Set for the command that runs below a pager: its output is read by a person though it is no terminal. */
const BELOW_PAGER = 'FENTRY_PAGED';
/** The value of that variable if the pager passes links on to the terminal. */
const WITH_LINKS = 'links';
/** The first version of less that does. */
const LESS_WITH_LINKS = 566;
/** Terminals that show no links: none, a file, and the kernel's own. */
const NO_LINKS = /^(dumb|linux)?$/;

/** Whether what is written to stdout is for a person's eyes. */
export const isForEyes = (): boolean => process.stdout.isTTY === true || process.env[BELOW_PAGER] !== undefined;

/** Whether colours are wanted: https://no-color.org */
export const wantsColour = (): boolean => isForEyes() && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';

/**
 * The name of this machine if places are to be links (OSC 8): stdout is a terminal that may know them. Undefined: it is none.
 */
export function linkHost(): string | undefined {
  const isKnown = process.stdout.isTTY ? !NO_LINKS.test(process.env['TERM'] ?? '') : process.env[BELOW_PAGER] === WITH_LINKS;
  return isKnown ? hostname() : undefined;
}

/**
 * On a terminal, runs the same command again with its output in the user's pager.
 * @returns the exit code, or undefined when there is no terminal, no pager, or none is wanted: then the caller writes itself
 */
export function throughPager(): number | undefined {
  const pager = process.env['PAGER'] ?? 'less -FRX';
  if (!process.stdout.isTTY || pager === '' || pager === 'cat' || !isThere(pager)) return undefined;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const env = { ...process.env, [BELOW_PAGER]: passesLinks(pager) ? WITH_LINKS : '1' };
  const { status } = spawnSync('sh', ['-c', `"$@" | ${pager}`, 'sh', ...command], { stdio: 'inherit', env });
  return status ?? 0;
}

/** Whether a pager is a `less` that passes links on, as -R asks. */
function passesLinks(pager: string): boolean {
  if (linkHost() === undefined || !/^less\b.* -\w*R/.test(pager)) return false;
  const version = /^less (\d+)/.exec(spawnSync('less', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  return Number(version ?? 0) >= LESS_WITH_LINKS;
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
