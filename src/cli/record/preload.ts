import { fileURLToPath } from 'node:url';

/** A word as Node reads it in NODE_OPTIONS. */
const quoted = (word: string): string => (/[\s"\\]/.test(word) ? `"${word.replace(/["\\]/g, '\\$&')}"` : word);

/** NODE_OPTIONS under which every Node process that a command starts loads fentry, first of all preloads. */
export function preloadOptions(inherited = ''): string {
  const preload = `--require=${quoted(fileURLToPath(new URL('preload.cjs', import.meta.url)))}`;
  return inherited.includes(preload) ? inherited : `${preload} ${inherited}`.trim();
}
