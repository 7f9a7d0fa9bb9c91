import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildName } from './build-name.mjs';

// All paths are relative to the project's folder.
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

/** The name of this build. */
export const BUILD = buildName();

/** What all bundles have in common. */
export const shared = {
  target: 'node20',
  platform: 'node',
  sourcemap: 'linked',
  // The maps name the files; the texts are two fifths of the package.
  sourcesContent: false,
  logLevel: 'warning',
  legalComments: 'linked',
  define: { BUILD: JSON.stringify(BUILD) },
};

/** Packages that are CommonJS require Node's modules: `require` in an ES module. */
export const REQUIRE = `import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);`;

/** The source files of packages that went into a bundle. */
export const inputs = new Set();

/** Writes bundles. */
export async function bundle(options) {
  const result = await esbuild.build({ ...shared, bundle: true, outdir: 'dist', ...options, metafile: true });
  for (const input of Object.keys(result.metafile.inputs)) inputs.add(input);
  return result;
}

/** For a bundle that has all in one: `linked-NAME.ts` in place of each `load-NAME.ts`, which would load another bundle. */
export const linked = (...names) => ({
  name: 'linked',
  setup(build) {
    build.onResolve({ filter: new RegExp(`/load-(${names.join('|')})\\.js$`) }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/load-([\w-]+)\.js$/, 'linked-$1.ts')),
    }));
  },
});

/** The shell of `fentry sh` is a bundle of its own, loaded only by that verb. */
export const shellBundle = {
  name: 'just-bash',
  setup(build) {
    build.onResolve({ filter: /^just-bash\/browser$/ }, () => ({ path: './just-bash.js', external: true }));
  },
};

/** import.meta.url in a CommonJS bundle. */
export function withUrl(name, banner = '') {
  // What Node makes of a path without special characters. Node's own function takes part of a program's start, and so would a
  // regular expression.
  const isPlain = `encodeURI(__filename) === __filename && !__filename.includes('?') && !__filename.includes('#')`;
  const js = `${banner}\nconst ${name} = ${isPlain} ? 'file://' + __filename : require('node:url').pathToFileURL(__filename).href;`;
  return { define: { ...shared.define, 'import.meta.url': name }, banner: { js } };
}
