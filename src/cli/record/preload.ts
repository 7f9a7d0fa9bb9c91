/** NODE_OPTIONS under which every Node process that a command starts loads fentry, first of all preloads. */
export function preloadOptions(inherited = ''): string {
  const preload = `--import=${new URL('index.js', import.meta.url).href}`;
  return inherited.includes(preload) ? inherited : `${preload} ${inherited}`.trim();
}
