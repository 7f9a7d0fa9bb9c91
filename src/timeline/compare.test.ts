import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DurationBatches } from '../base/duration-batches.js';
import { DurationHistogram } from '../base/duration-histogram.js';
import { compareRecordings, type MeasuredFunction, type MeasuredRecording } from './compare.js';

/** What a function of a made-up program does in a call. Times are ns. */
interface Behaviour {
  readonly own: number;
  readonly waits?: number;
  readonly calls?: Readonly<Record<string, number>>;
}
type Program = Readonly<Record<string, Behaviour>>;

let seed = 11;
const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
/** A time as it varies from call to call, with a call now and then that waits for a core. */
const varied = (ns: number): number => ns * (0.9 + 0.2 * random()) + (random() < 0.01 ? 4e6 : 0);

/** Runs a program: its function `main` so many times. */
function run(program: Program, calls = 400): MeasuredRecording {
  type Writable = { -readonly [Key in keyof MeasuredFunction]: MeasuredFunction[Key] } & { callees: Map<Writable, number> };
  const functions = new Map<string, Writable>();
  const of = (name: string): Writable => {
    const line = Object.keys(program).indexOf(name) + 1;
    const known = functions.get(name) ?? {
      name,
      place: { file: '/srv/shop.js', line, column: 1 },
      isOwn: true,
      calls: 0,
      total: 0,
      running: 0,
      self: 0,
      times: new DurationHistogram(),
      callBatches: new DurationBatches(),
      ownBatches: new DurationBatches(),
      callees: new Map(),
    };
    functions.set(name, known);
    return known;
  };
  const call = (name: string): { readonly total: number; readonly running: number } => {
    const one = of(name);
    const { own, waits = 0, calls: inner = {} } = program[name]!;
    const self = varied(own);
    let [running, waiting] = [self, waits === 0 ? 0 : varied(waits)];
    for (const [callee, count] of Object.entries(inner)) {
      for (let i = 0; i < count; i++) {
        const inside = call(callee);
        running += inside.running;
        waiting += inside.total - inside.running;
        one.callees.set(of(callee), (one.callees.get(of(callee)) ?? 0) + 1);
      }
    }
    one.calls++;
    one.self += self;
    one.running += running;
    one.total += running + waiting;
    one.times.add(running + waiting);
    one.callBatches.add(running + waiting);
    one.ownBatches.add(self);
    return { total: running + waiting, running };
  };
  for (let i = 0; i < calls; i++) call('main');
  return { file: 'x.dat', application: '/srv', functions: [...functions.values()] };
}

const SHOP: Program = {
  main: { own: 20_000, calls: { price: 2, store: 1, render: 1 } },
  price: { own: 50_000, calls: { tax: 1 } },
  tax: { own: 30_000 },
  store: { own: 10_000, waits: 900_000 },
  render: { own: 200_000, calls: { escape: 8 } },
  escape: { own: 3_000 },
};

/** Functions that are slower or faster by their own doing: `name slower own`. */
const verdictsOf = (before: MeasuredRecording, after: MeasuredRecording): readonly string[] =>
  compareRecordings(before, after)
    .functions.filter(({ cause }) => cause !== undefined && cause !== 'callees')
    .map(({ name, verdict, cause, callee }) => `${name} ${verdict} ${cause}${callee === undefined ? '' : ` ${callee.name}`}`)
    .sort();

const with_ = (changes: Program): Program => ({ ...SHOP, ...changes });

const CASES: readonly (readonly [what: string, after: Program, verdicts: readonly string[]])[] = [
  ['nothing where nothing changed', SHOP, []],
  ['its own code', with_({ tax: { own: 60_000 } }), ['tax slower own']],
  ['its own code that is faster', with_({ render: { own: 90_000, calls: { escape: 8 } } }), ['render faster own']],
  ['what it waits for', with_({ store: { own: 10_000, waits: 2_000_000 } }), ['store slower waiting']],
  [
    'how often it calls another one',
    with_({ main: { own: 20_000, calls: { price: 12, store: 1, render: 1 } } }),
    ['main slower calls price'],
  ],
  [
    'a new function that it calls',
    with_({ price: { own: 50_000, calls: { tax: 1, audit: 1 } }, audit: { own: 400_000 } }),
    ['price slower calls audit'],
  ],
];

for (const [what, after, verdicts] of CASES) {
  test(`blamed is ${what}`, () => {
    assert.deepEqual(verdictsOf(run(SHOP), run(after)), verdicts);
  });
}

test('callers of what is slower are slower by it, and not blamed', () => {
  const { functions } = compareRecordings(run(SHOP), run(with_({ tax: { own: 300_000 } })));
  const price = functions.find(({ name }) => name === 'price')!;
  assert.deepEqual([price.verdict, price.cause], ['slower', 'callees']);
  assert.ok(price.call!.ratio > 2 && price.call!.p < 0.01);
});

test('a machine on which all takes longer is no function’s doing', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`work${i}`, { own: 1_000 * (i + 3) }]));
  const called = { own: 9_000, calls: Object.fromEntries(Object.keys(many).map((name) => [name, 1])) };
  const slowed = (factor: number, of = ''): Program =>
    Object.fromEntries(
      Object.entries({ main: called, ...many }).map(([name, one]) => {
        return [name, { ...one, own: one.own * factor * (name === of ? 3 : 1) }];
      }),
    );
  const answer = compareRecordings(run(slowed(1)), run(slowed(1.6, 'work7')));
  assert.ok(Math.abs(answer.drift - 1.6) < 0.1, String(answer.drift));
  assert.deepEqual(
    answer.functions.filter(({ cause }) => cause === 'own').map(({ name }) => name),
    ['work7'],
  );
});

test('few calls are too few to say, and functions of one recording are new or gone', () => {
  const { functions } = compareRecordings(
    run({ main: { own: 1, calls: { old: 1 } }, old: { own: 9e6 } }, 3),
    run({ main: { own: 1, calls: { fresh: 1 } }, fresh: { own: 9e7 } }, 3),
  );
  assert.deepEqual(functions.map(({ name, verdict, change }) => `${name} ${verdict} ${change > 0 ? 'more' : 'less'}`).sort(), [
    'fresh new more',
    'main few more',
    'old gone less',
  ]);
});
