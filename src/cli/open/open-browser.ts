import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A browser that was asked to open a link. */
export interface OpenedBrowser {
  /** Removes what the browser was given. */
  [Symbol.dispose](): void;
}

/**
 * Asks the desktop to open a link; undefined where there is no desktop, or nothing that opens links. The command line of a
 * process can be read by every user of the machine, so the browser gets the name of a file that only this user can read, which
 * leads to the link.
 */
export async function openBrowser(link: string, env = process.env): Promise<OpenedBrowser | undefined> {
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return undefined;
  const folder = mkdtempSync(join(env['XDG_RUNTIME_DIR'] || tmpdir(), 'fentry-open-'));
  const opened = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${link}">\n`, {
    mode: 0o600,
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    const child = spawn('xdg-open', [file], { stdio: 'ignore', detached: true, env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
  if (isOpen) return opened;
  opened[Symbol.dispose]();
  return undefined;
}
