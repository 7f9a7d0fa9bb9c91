import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../base/make-folder.js';
import { shortHash } from '../../base/short-hash.js';
import { hasEnded, ownIdentity, parseIdentity } from '../../recording/process-identity.js';

/** The file that names the collector of a folder. */
const OWNER = 'owner';
const PREFIX = 'run-';
/** Milliseconds in which another collector that takes the same folder would show. */
const RACE = 100;

/** The folder that collectors for a target keep what they have not stored yet in. */
export function spoolBase(target: string, env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  return join(state, 'fentry', 'collect', shortHash(target));
}

/** A folder with the records of one run of the collector, and its name. */
export interface SpoolFolder {
  readonly folder: string;
  /** Unique. */
  readonly run: string;
}

/** Makes the folder of this run. */
export function newSpoolFolder(base: string): SpoolFolder {
  makeFolder(base);
  const run = randomBytes(6).toString('hex');
  const folder = join(base, `${PREFIX}${run}`);
  makeFolder(folder);
  takeFolder(folder);
  return { folder, run };
}

/** Takes over the folders of collectors that have ended and left something. */
export async function leftSpoolFolders(base: string): Promise<readonly SpoolFolder[]> {
  if (!existsSync(base)) return [];
  const left = readdirSync(base).filter((name) => name.startsWith(PREFIX) && isLeft(join(base, name)));
  for (const name of left) takeFolder(join(base, name));
  if (left.length > 0) await sleep(RACE);
  return left
    .map((name) => ({ folder: join(base, name), run: name.slice(PREFIX.length) }))
    .filter(({ folder }) => ownerOf(folder) === ownIdentity());
}

/** Removes a folder of which everything is stored. */
export function removeSpoolFolder({ folder }: SpoolFolder): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Leaves a folder to the next collector. */
export function leaveSpoolFolder({ folder }: SpoolFolder): void {
  rmSync(join(folder, OWNER), { force: true });
}

function takeFolder(folder: string): void {
  const path = join(folder, `${OWNER}.${process.pid}`);
  writeFileSync(path, ownIdentity(), { mode: 0o600 });
  renameSync(path, join(folder, OWNER));
}

function ownerOf(folder: string): string {
  try {
    return readFileSync(join(folder, OWNER), 'utf8');
  } catch {
    return '';
  }
}

function isLeft(folder: string): boolean {
  const owner = parseIdentity(ownerOf(folder));
  return owner === undefined || hasEnded(owner);
}
