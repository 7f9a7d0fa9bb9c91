import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The folder of a package that is no dependency of fentry's, installed once from the npm registry into `.cache/`. Undefined if
 * npm cannot install it.
 */
export function installedPackage(name: string, version: string): string | undefined {
  const cache = resolve('.cache', `${name}-${version}`);
  const folder = join(cache, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n');
  try {
    const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
    execFileSync('npm', ['install', ...options, `${name}@${version}`], { cwd: cache, stdio: 'ignore', timeout: 120_000 });
  } catch {
    return undefined;
  }
  return existsSync(folder) ? folder : undefined;
}
