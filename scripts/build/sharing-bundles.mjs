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
  const chunks = [...chunksOf(outputs, `${first.name}.js`)].map((name) => [name, outputs.get(name).exports]);
  texts.set('shared.js', sharing(chunks, own));
  // As an object at once: for `export`, esbuild makes getters, and copies them.
  const exported = outputs.get(`${first.name}.js`).exports.join(', ');
  texts.set('start.js', `import './shared.js';\nimport { ${exported} } from './${first.name}.js';\nexports_({ ${exported} });\n`);
  await build(first.name, 'start.js', {
    banner: `${first.head}\nlet sharedModules_;\nconst exports_ = (all) => {\n  module.exports = all;\n};`,
    plugin: fromTexts((name) => texts.get(name)),
  });
  const shares = new Map(chunks);
  for (const { name } of later) {
    await build(name, `${name}.js`, {
      banner: [
        'module.exports = (build, sharedModules_) => {',
        `if (build !== '${BUILD}') throw new globalThis.Error('fentry was replaced since the program has started');`,
        'const module = { exports: {} };',
        `const { ${own} } = sharedModules_.own;`,
      ].join('\n'),
      footer: 'return module.exports;\n};',
      plugin: fromTexts((file) =>
        shares.has(file) ? `export const { ${shares.get(file).join(', ')} } = sharedModules_['${file}'];` : texts.get(file),
      ),
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

/** The module that gives what these export, and names of its own bundle, to another bundle. */
function sharing(chunks, own) {
  const imports = chunks.map(
    ([name, exported], n) => `import { ${exported.map((one) => `${one} as ${one}_${n}`).join(', ')} } from './${name}';`,
  );
  const objects = chunks.map(
    ([name, exported], n) => `'${name}': { ${exported.map((one) => `${one}: ${one}_${n}`).join(', ')} }`,
  );
  return `${imports.join('\n')}\nsharedModules_ = () => ({ ${[`own: { ${own} }`, ...objects].join(', ')} });\n`;
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
