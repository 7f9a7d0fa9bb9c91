// A probe in the middle of a function that reads a local variable and a property, under dd-trace's Dynamic Instrumentation
// against fentry: the same line of the same program, and each hit's values delivered by both. dd-trace reports to a small agent
// of the benchmark's own. The package is installed from the npm registry into .cache/dd-trace at the first run.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { output, ROOT } from './lib/child.mjs';
import { DatadogAgent } from './lib/datadog-agent.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { FIXTURE, LINE, ProbedWork } from './lib/probed-work.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 15);
/** The newest that runs on every Node that fentry supports. */
const VERSION = '5.132.0';
const CACHE = join(ROOT, '.cache/dd-trace');

/** The values, in dd-trace's language of expressions. */
const VALUES = [
  { name: 'total', expr: { dsl: 'total', json: { ref: 'total' } } },
  { name: 'price', expr: { dsl: 'order.price', json: { getmember: [{ ref: 'order' }, 'price'] } } },
];
/** Limits of dd-trace's own are 5,000 records of a log probe a second, and one of each other probe. */
const PROBE = { id: 'hit', version: 0, type: 'LOG_PROBE', template: '', sampling: { snapshotsPerSecond: 1e9 } };

/**
 * The ways in which dd-trace fetches values. All but the first have at most 25 records a second in a process, whatever the
 * probe says: these are hit less often, and `wait` is long enough.
 */
const WAYS = [
  {
    name: 'a log line with the two values',
    probe: { segments: VALUES.flatMap(({ name, expr }) => [{ str: ` ${name}=` }, expr]) },
    values: ({ message }) => message,
    calls: 200,
    wait: 110,
  },
  {
    name: 'the two values captured',
    probe: { segments: [{ str: 'hit' }], captureExpressions: VALUES },
    values: (record) => captured(record.captureExpressions),
    calls: 20,
    wait: 1100,
  },
  {
    name: 'all variables captured, its default',
    probe: { segments: [{ str: 'hit' }], captureSnapshot: true },
    values: ({ locals }) => captured({ total: locals.total, price: locals.order.fields.price }),
    calls: 20,
    wait: 1100,
  },
];

const captured = ({ total, price }) => ` total=${total.value} price=${price.value}`;

/** Whether the package is there, after trying to install it. */
const installed = () => {
  const manifest = join(CACHE, 'node_modules/dd-trace/package.json');
  if (existsSync(manifest) && createRequire(manifest)(manifest).version === VERSION) return true;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), '{ "private": true }\n');
  try {
    output('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', `dd-trace@${VERSION}`], {
      cwd: CACHE,
    });
    return existsSync(manifest);
  } catch {
    return false;
  }
};

/** The program with a probe of dd-trace, in place, and the records of it. */
const underDatadog = async (work, way, number) => {
  const agent = new DatadogAgent();
  await agent.start();
  const file = join(work.folder, `probes-${number}.json`);
  writeFileSync(file, JSON.stringify([{ ...PROBE, ...way.probe, where: { sourceFile: FIXTURE, lines: [String(LINE)] } }]));
  const env = {
    ...process.env,
    DD_DYNAMIC_INSTRUMENTATION_ENABLED: 'true',
    // A probe that takes longer, as on a busy machine, gives up values or is off for five minutes; by default after 15 and 50 ms.
    DD_DYNAMIC_INSTRUMENTATION_CAPTURE_TIMEOUT_MS: '10000',
    DD_DYNAMIC_INSTRUMENTATION_EVALUATION_TIMEOUT_MS: '10000',
    DD_DYNAMIC_INSTRUMENTATION_PROBE_FILE: file,
    DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
    DD_TRACE_AGENT_URL: agent.url,
  };
  const run = await work.start(['none'], { execArgv: ['--require', join(CACHE, 'node_modules/dd-trace/init.js')], env });
  while (!agent.isInstalled(PROBE.id)) await pause(50);
  let calls = 0;
  /** How many calls there were and how many records came of them, all of which must have the values. */
  const delivered = async () => {
    for (let last = -1; agent.records.length !== last; ) {
      last = agent.records.length;
      await pause(2500);
    }
    for (const { message, debugger: said } of agent.records) {
      const values = way.values({ message, ...said.snapshot.captures?.lines[LINE] });
      if (values !== ' total=6 price=3') throw new Error(`a record without the values: ${JSON.stringify(said)}`);
    }
    if (agent.records.length !== calls) throw new Error(`${agent.records.length} records of ${calls} hits`);
    return `${calls} hits, as many records`;
  };
  const measure = () => {
    calls += way.calls;
    return run(way.calls, way.wait);
  };
  return { run: measure, delivered, close: () => agent.close() };
};

if (!installed()) cannot(`dd-trace ${VERSION}`, 'npm could not install it');
else {
  const work = new ProbedWork();
  const agents = [];
  try {
    const call = await (await work.start(['none']))();
    const breakpoint = await work.probed('instrument=app', false);
    const statement = await work.probed('statement_sites=app', true);
    for (let i = 0; i < 5; i++) for (const { run } of [breakpoint, statement]) await run();
    for (const { lastRecord } of [breakpoint, statement]) {
      const record = await lastRecord();
      if (!record.endsWith(' total=6 price=3')) throw new Error(`a record without the values: ${record}`);
    }
    for (const [number, way] of WAYS.entries()) {
      const datadog = await underDatadog(work, way, number);
      agents.push(datadog);
      for (let i = 0; i < 3; i++) await datadog.run();
      const pairs = await measurePairs(datadog.run, () => breakpoint.run(), PAIRS);
      verdict({
        name: `dd-trace ${VERSION}: ${way.name}`,
        ratio: (pairs.a - call) / (pairs.b - call),
        target: number === 0 ? 'at least 10.0' : undefined,
        detail: `${(pairs.a / 1e6).toFixed(2)} ms a hit, ${await datadog.delivered()}; fentry at a breakpoint ${(pairs.b / 1e6).toFixed(2)} ms; ${spread(pairs, PAIRS)}`,
      });
      if (number > 0) continue;
      const sites = await measurePairs(datadog.run, () => statement.run(20_000), PAIRS);
      verdict({
        name: 'the same by the site of a statement',
        ratio: (sites.a - call) / (sites.b - call),
        detail: `${(sites.a / 1e6).toFixed(2)} ms a hit, fentry at the site of a statement ${sites.b.toFixed(0)} ns; ${spread(sites, PAIRS)}`,
      });
    }
    console.log(`  fentry at the breakpoint: ${await breakpoint.counts()}; at the site: ${await statement.counts()}`);
  } finally {
    for (const agent of agents) agent.close();
    work.end();
  }
}
