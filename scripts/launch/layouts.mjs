// Folders of programs whose packages are not in a plain node_modules.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { FILES } from './files.mjs';
import { writeFiles } from './write-files.mjs';

const USES = `function launchedMain() { return launchedPackage(); }\nconsole.log(launchedMain());\n`;
const PACKAGE = {
  'package.json': '{ "name": "launched", "version": "1.0.0", "main": "index.js" }',
  'index.js': `exports.launchedPackage = function launchedPackage() { return 'of a package'; };\n`,
};
const inFolder = (folder) => Object.fromEntries(Object.entries(PACKAGE).map(([name, text]) => [`${folder}/${name}`, text]));
const APP = {
  'app.js': `const { launchedPackage } = require('launched');\n${USES}`,
  'app.mjs': `import { launchedPackage } from 'launched';\n${USES}`,
};

/** How the template of each layout is made. */
export const LAYOUTS = {
  plain: (folder) => writeFiles(folder, FILES),
  pnpm(folder) {
    writeFiles(folder, {
      ...APP,
      'package.json': '{ "private": true, "dependencies": { "launched": "1.0.0" } }',
      ...inFolder('node_modules/.pnpm/launched@1.0.0/node_modules/launched'),
      'node_modules/launched': { link: '.pnpm/launched@1.0.0/node_modules/launched' },
    });
  },
  pnp(folder, packages) {
    writeFiles(folder, {
      ...APP,
      ...inFolder('launched'),
      'package.json': '{ "name": "app", "private": true, "dependencies": { "launched": "file:./launched" } }',
      'yarn.lock': '',
      '.yarnrc.yml': 'enableTelemetry: false\nenableGlobalCache: false\npnpEnableEsmLoader: true\nenableNetwork: false\n',
    });
    execFileSync(process.execPath, [join(packages, '@yarnpkg/cli-dist/bin/yarn.js'), 'install', '--no-immutable'], {
      cwd: folder,
      stdio: 'pipe',
    });
  },
};
