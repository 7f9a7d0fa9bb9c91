/** Modules of Node's that most programs never need: a bundle on the program's threads loads each when it is first used. */
export const LAZY = ['async_hooks', 'inspector', 'os', 'perf_hooks', 'v8', 'worker_threads'];

/**
 * esbuild loads all modules of Node's when a bundle starts, and copies those of which a source imports the namespace. Loading
 * takes milliseconds, and so does copying `node:fs`, because a getter in it loads the streams and promises. Node's function
 * for loading its own modules does not ask the program's hooks of `require`, and makes no ES module of one.
 */
export function loadLazily(text) {
  const names = [];
  const lazy = text.replaceAll(/\b(import_node_\w+)(\s*=\s*)require\("node:(\w+)"\)/g, (whole, name, is, module) => {
    if (!LAZY.includes(module)) return whole;
    names.push(name);
    return `${name}${is}() => loadBuiltIn_("node:${module}")`;
  });
  const used = lazy
    .replaceAll(/\bnew (import_node_\w+)\.(\w+)/g, (whole, name, made) =>
      names.includes(name) ? `new (${name}.${made})` : whole,
    )
    .replaceAll(/\b(import_node_\w+)\./g, (whole, name) => (names.includes(name) ? `${name}().` : whole));
  const direct = used
    .replaceAll('require("node:module")', 'nodeModule_')
    .replaceAll(/\brequire\("node:(\w+)"\)/g, (_, module) => `loadBuiltIn_("node:${module}")`)
    .replaceAll(/__toESM\((loadBuiltIn_\("node:\w+"\)|nodeModule_)(,\s*1)?\)/g, (_, module) => `namespaceOf_(${module})`);
  return loadedOnce(direct);
}

/** esbuild gives each source file variables of its own for Node's modules. Each further one takes what the first has. */
function loadedOnce(text) {
  const first = new Map();
  return text.replaceAll(/\b(\w+)(\s*=\s*)((?:namespaceOf_\()?loadBuiltIn_\("node:\w+"\)\)?)/g, (whole, name, is, load) => {
    if (!first.has(load)) first.set(load, name);
    return first.get(load) === name ? whole : `${name}${is}${first.get(load)}`;
  });
}
