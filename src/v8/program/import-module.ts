/**
 * `import()` of a URL, in a file of its own: Node runs the other bundles of a program's thread as scripts with V8's code from the
 * cache, and refuses `import()` in such a script.
 */
export const importModule = (url: string): Promise<Record<string, unknown>> => import(url);
