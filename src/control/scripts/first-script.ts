import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../base/attempt.js';
import { asTraceError } from '../../base/errno.js';
import { SCRIPT_FILES } from '../../port/script-folder.js';
import type { ProcessScripts } from './process-scripts.js';

/** npm and the like, which only start the program. */
const STARTERS = /(?:^|\/)(?:npm|npx|yarn|pnpm|corepack)(?:-cli)?(?:\.[cm]?js)?$/;

/** What the process runs: the first word behind Node that is no option. */
function ownCommand(): string {
  const [, ...words] = (attempt(() => readFileSync('/proc/self/cmdline', 'utf8')) ?? '').split('\0');
  return words.find((word) => !word.startsWith('-')) ?? '';
}

/**
 * Begins the script of a folder (FENTRY's `script`), unless another process has it already. Who made the folder learns which
 * process runs it, and reads there what became of it.
 */
export async function beginFirstScript(scripts: ProcessScripts, folder: string): Promise<void> {
  if (STARTERS.test(ownCommand())) return;
  const taken = join(folder, SCRIPT_FILES.taken);
  if (attempt(() => renameSync(join(folder, SCRIPT_FILES.source), taken) ?? true) === undefined) return;
  const name = SCRIPT_FILES.name;
  scripts.add(name);
  const entry = scripts.get(name)!;
  entry.isWithCommand = true;
  try {
    await entry.store(readFileSync(taken, 'utf8'), { pid: process.ppid, comm: '' });
  } catch (error) {
    // Its messages say it.
    asTraceError(error);
  }
  const told = join(folder, SCRIPT_FILES.pid);
  writeFileSync(`${told}~`, String(process.pid), { mode: 0o600 });
  renameSync(`${told}~`, told);
}
