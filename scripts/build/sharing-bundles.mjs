// A bundle that is loaded later by another one, whose modules it shares.
import { basename } from 'node:path';
import { BUILD, bundle, shared } from './bundle.mjs';

/**
 * Builds bundles, of which the first loads the others when it needs them. esbuild finds what it shares with them. That becomes
 * part of the first one, which gives it to the others: each is a function of the build's name and the shared modules. So a class
 * of theirs is one class; what only the others have in common each of them has for itself. The first one has `requireOwn_` in its
 * `head`, and loads another by `requireOwn_('./NAME.cjs')(BUILD, sharedModules_())`.
 *
 * @param first its name, its source file, and the text at its beginning
 * @param later the names and source files of the others
 * @param options `url`: what the bundles call import.meta.url; `own`: names that the others take from the first one, besides
 *   modules; `build(name, file, options)` makes a bundle of one
 * @returns what the first one exports, and esbuild's records of the others
 */
export async function buildSharing(first, later, { url, own, build }) {
  const { outputFiles, metafile } = await bundle({
    entryPoints: Object.fromEntries([first, ...later].map(({ name, file }) => [name, file])),
    minifySyntax: true,
    splitting: true,
    sourcemap: 'inline',
    format: 'esm',
    define: { ...shared.define, 'import.meta.url': url },
    legalComments: 'none',
    write: false,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const chunks = chunksOf(outputs, `${first.name}.js`);
  const taken = new Map(later.map(({ name }) => [name, namesTaken(texts, `${name}.js`, chunks)]));
  texts.set('shared.js', sharing(taken, own));
  // As an object at once: for `export`, esbuild makes getters, and copies them.
  const exported = outputs.get(`${first.name}.js`).exports.join(', ');
  texts.set('start.js', `import './shared.js';\nimport { ${exported} } from './${first.name}.js';\nexports_({ ${exported} });\n`);
  await build(first.name, 'start.js', {
    banner: `${first.head}\nlet sharedModules_;\nconst exports_ = (all) => {\n  module.exports = all;\n};`,
    plugin: fromTexts((name) => texts.get(name)),
  });
  for (const { name } of later) {
    await build(name, `${name}.js`, {
      banner: [
        'module.exports = (build, sharedModules_) => {',
        `if (build !== '${BUILD}') throw new globalThis.Error('fentry was replaced since the program has started');`,
        'const module = { exports: {} };',
        `const { ${own} } = sharedModules_.own;`,
      ].join('\n'),
      footer: 'return module.exports;\n};',
      plugin: fromTexts((file) => (chunks.has(file) ? takenText(name, file, taken.get(name).get(file)) : texts.get(file))),
    });
  }
  return { exported: outputs.get(`${first.name}.js`).exports, late: later.map(({ name }) => outputs.get(`${name}.js`)) };
}

/** The chunks that an output imports, and those that they import. */
function chunksOf(outputs, name, found = new Set()) {
  for (const { path } of outputs.get(name).imports) {
    const chunk = basename(path);
    if (!chunk.startsWith('chunk-') || found.has(chunk)) continue;
    found.add(chunk);
    chunksOf(outputs, chunk, found);
  }
  return found;
}

/** A chunk for the bundle that takes these names from it. Where it takes none, the chunk has run before. */
const takenText = (bundle, chunk, names) =>
  names === undefined ? '' : `export const { ${names.join(', ')} } = sharedModules_['${bundle}']['${chunk}'];`;

const IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']\.\/([^"']+)["']/g;

/** The names that an output, and what it has for itself, import from each of these chunks. */
function namesTaken(texts, output, chunks, found = new Map(), seen = new Set()) {
  if (seen.has(output)) return found;
  seen.add(output);
  for (const [, names, from] of texts.get(output).matchAll(IMPORT)) {
    if (!chunks.has(from)) {
      namesTaken(texts, from, chunks, found, seen);
      continue;
    }
    const exported = names.split(',').map((name) => name.trim().split(' as ')[0]);
    found.set(from, [...new Set([...(found.get(from) ?? []), ...exported.filter((name) => name !== '')])]);
  }
  return found;
}

/**
 * The module that gives each of the other bundles what it takes, and names of its own bundle. By getters: a property of an object
 * takes V8 ten thousand instructions when the object is made.
 * @param taken the names that each takes from each chunk
 */
function sharing(taken, own) {
  const chunks = [...new Set([...taken.values()].flatMap((names) => [...names.keys()]))];
  const unique = (name, chunk) => `${name}_${chunks.indexOf(chunk)}`;
  const imports = chunks.map((chunk) => {
    const names = new Set([...taken.values()].flatMap((all) => all.get(chunk) ?? []));
    return `import { ${[...names].map((name) => `${name} as ${unique(name, chunk)}`).join(', ')} } from './${chunk}';`;
  });
  const getters = [...taken].map(([bundle, names]) => {
    const objects = [...names].map(
      ([chunk, all]) => `'${chunk}': { ${all.map((name) => `${name}: ${unique(name, chunk)}`).join(', ')} }`,
    );
    return `get '${bundle}'() { return { ${objects.join(', ')} }; }`;
  });
  return `${imports.join('\n')}\nsharedModules_ = () => ({ ${[`own: { ${own} }`, ...getters].join(', ')} });\n`;
}

/** Takes the modules of a bundle from memory. */
function fromTexts(textOf) {
  return {
    name: 'from-texts',
    setup(build) {
      build.onResolve({ filter: /^(\.\/)?[\w-]+\.js$/ }, ({ path }) => ({ path: basename(path), namespace: 'text' }));
      build.onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({ contents: textOf(path), loader: 'js' }));
    },
  };
}
