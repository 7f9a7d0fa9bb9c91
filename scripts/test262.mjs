// test262 with sites against plain Node: no result may differ.
//
//   node scripts/test262.mjs --root CORPUS --runner RUNNER.mjs [--form FORM] [--baseline FILE.json] [options of the runner]
//
// FORM: idle (default), armed, statements-idle or statements-armed: with sites at statements, too.
// CORPUS: a checkout of tc39/test262, which is large and changes daily, so it is not kept here:
//   git clone --depth 1 https://github.com/tc39/test262 /tmp/test262
// RUNNER: runs each test of --dirs in a realm of its own, plainly and through the module given with --transform, which
// exports transform(source, { filename, type }) and realm(run, global), and lists what passes only plainly.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FORMS = ['idle', 'armed', 'statements-idle', 'statements-armed'];
const home = new URL('..', import.meta.url).pathname;
const args = process.argv.slice(2);

/** Takes `--name value` out of the arguments. */
const take = (name, fallback) => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? fallback : args.splice(at, 2)[1];
};

const corpus = take('root');
const runner = take('runner', process.env.TEST262_RUNNER);
const form = take('form', 'idle');
const problem =
  !corpus || !existsSync(join(corpus, 'harness'))
    ? `--root must name a checkout of tc39/test262 (git clone --depth 1 https://github.com/tc39/test262)`
    : !runner || !existsSync(runner)
      ? '--runner (or TEST262_RUNNER) must name a runner: see the head of scripts/test262.mjs'
      : !FORMS.includes(form)
        ? `--form is one of ${FORMS.join(', ')}`
        : undefined;
if (problem) {
  console.error(problem);
  process.exit(2);
}

const built = spawnSync(process.execPath, [join(home, 'scripts/build.mjs'), '--modules', '--no-types'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
const run = spawnSync(
  process.execPath,
  [
    runner,
    '--root',
    corpus,
    '--dirs',
    take('dirs', 'language,built-ins,annexB'),
    '--transform',
    join(home, `test/test262/transform-${form}.mjs`),
    ...args,
  ],
  { stdio: 'inherit' },
);
process.exit(run.status ?? 1);
