import { execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { fentry, tracedAtWork } from './tracing.mjs';

const run = promisify(execFile);
const PYTHON = '/usr/bin/python3.11';
const SUITES = ['test_json', 'test_re', 'test_dict', 'test_generators', 'test_exceptions'];

/** What became of each test: `name ... ok`, without what tests print in between. */
const outcomes = (text) =>
  [...text.matchAll(/^(\w+ \([\w.]+\)).*? \.\.\.(?:[^\n]*\n)*?[^\n]*?\b(ok|skipped|FAIL|ERROR|expected failure)\b/gm)]
    .map(([, name, outcome]) => `${name} ${outcome}`)
    .sort();

async function suite(name, folder) {
  const test = [PYTHON, '-m', 'test', '-v', name];
  const options = { cwd: folder, maxBuffer: 1 << 30 };
  const plain = await run(PYTHON, test.slice(1), options);
  const recording = join(folder, 'recording.dat');
  const record = ['record', '--native', '--max-size', '20M', '-p', 'function_graph', '-o', recording, '--', ...test];
  const traced = await fentry(folder, record, options);
  rmSync(recording, { force: true });
  const [before, after] = [plain, traced].map(({ stdout, stderr }) => outcomes(stdout + stderr));
  const differing = before.filter((line, i) => line !== after[i]);
  if (before.length === 0 || before.length !== after.length || differing.length > 0)
    throw new Error(`${name}: ${before.length} tests, traced ${after.length}; ${differing.join(', ')}`);
  const [, events = '0', lost = '0'] = /([\d,]+) events(?:, ([\d,]+) lost)?/.exec(traced.stderr) ?? [];
  return { tests: before.length, events: Number(events.replaceAll(',', '')) + Number(lost.replaceAll(',', '')) };
}

/** Debian's stripped Python: at work, and its own regression tests from their start to their end. */
export const python = {
  name: 'python3.11',
  packages: ['python3.11', 'libpython3.11-testsuite'],
  needs: [PYTHON, '/usr/lib/python3.11/test/test_re.py'],
  async examine(folder) {
    const program = `
import json, re, sys
for line in sys.stdin:
    data = json.loads(json.dumps({'n': [i * i for i in range(500)], 't': re.sub('b+', 'x', 'abbb' * 500)}))
    try:
        {}['none']
    except KeyError:
        print(sum(data['n']), len(data['t']), flush=True)`;
    const child = spawn(PYTHON, ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async () => {
      child.stdin.write('\n');
      return (await lines.next()).value;
    };
    const first = await ask();
    const work = async () => {
      for (let i = 0; i < 20; i++) {
        const answer = await ask();
        if (answer !== first) throw new Error(`the answer was ${JSON.stringify(first)}, and is ${JSON.stringify(answer)}`);
      }
    };
    const traced = await tracedAtWork({ pid: child.pid, folder, work });
    child.stdin.end();
    let [tests, events] = [0, traced.events];
    for (const name of SUITES) {
      const one = await suite(name, folder);
      tests += one.tests;
      events += one.events;
    }
    return {
      ...traced,
      events,
      result: `${tests.toLocaleString('en')} tests of ${SUITES.map((name) => name.slice(5)).join(', ')} as before`,
    };
  },
};
