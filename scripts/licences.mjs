// The licences of the packages in fentry's bundles: they ask to be passed on with it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The folder of the package that a bundled file belongs to. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Packages that are published as bundles of their dependencies: the files of these are not seen any more. */
const BUNDLES = ['just-bash'];

/** The text for all packages that the files belong to. Throws an Error for one without a licence. */
export function licencesOf(files) {
  const folders = new Set(Array.from(files, (file) => PACKAGE.exec(file)?.[0]).filter((folder) => folder !== undefined));
  for (const folder of [...folders]) {
    if (!BUNDLES.includes(basename(folder))) continue;
    const siblings = Object.keys(manifest(folder).dependencies).map((name) => join(folder, '..', name));
    for (const sibling of siblings.filter((one) => existsSync(one))) folders.add(sibling);
  }
  return [...folders].sort().map(licenceOf).join('\n');
}

const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function licenceOf(folder) {
  const { name, version, license } = manifest(folder);
  const file = readdirSync(folder).find((one) => /^licen[sc]e/i.test(one));
  if (file === undefined && license === undefined) throw new Error(`${folder} has no licence`);
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}\n\n${text}\n`;
}
