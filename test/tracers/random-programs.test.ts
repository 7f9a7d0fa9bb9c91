import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { seededRandom } from '../../src/base/testing/random.js';
import { OPS_ID } from '../../src/ftrace/ops.js';
import { instrument } from '../../src/v8/instrument/index.js';
import { assemble } from '../../src/v8/text/index.js';
import { createTraced } from '../../src/v8/tracers/testing/traced.js';
import { LoggedGraph } from './support/logged-graph.js';
import { type Random, type RandomProgram, randomProgram } from './support/random-program.js';

const SEED = Number(process.env['SEED'] ?? 1);
const ROUNDS = Number(process.env['ROUNDS'] ?? 150);
/** Lines of a program that is worth its time. */
const MOST = 3000;

type Main = (v: number) => unknown;
const scope = globalThis as unknown as Record<string, unknown>;

/** What happens to the tracer while the program runs, in turn: the functions that it traces from then on, perhaps anew. */
interface Switch {
  readonly restarts: boolean;
  readonly functions: readonly string[];
}

function randomSwitch(random: Random, names: readonly string[]): Switch {
  const chosen = names.filter(() => random(3) > 0);
  return { restarts: random(4) === 0, functions: chosen.length === 0 ? names : chosen };
}

/** The graph as the program itself can tell it; undefined: it is too long. */
function told(
  program: RandomProgram,
  begin: Switch,
  next: () => Switch,
  v: number,
): { result: unknown; lines: string[] } | undefined {
  const graph = new LoggedGraph(begin.functions, MOST);
  scope['call'] = graph.call.bind(graph);
  scope['generate'] = graph.generate.bind(graph);
  scope['switchTracer'] = () => {
    const { restarts, functions } = next();
    graph.trace(functions, restarts);
  };
  const result = (runInThisContext(program.logged) as Main)(v);
  return graph.isFull ? undefined : { result, lines: graph.lines };
}

/** The graph that the tracer recorded. */
function traced(program: RandomProgram, begin: Switch, next: () => Switch, v: number): { result: unknown; lines: string[] } {
  const made = instrument(program.source, 'script');
  if (!('edits' in made)) throw new Error(made.unparsed);
  const names = made.functions.map(({ name }) => name);
  const kinds = Object.fromEntries(made.functions.map(({ name, kind }) => [name, kind]));
  const tracer = createTraced(names, { kinds, bytes: 4 << 20 });
  const numbers = ({ functions }: Switch): number[] => functions.map((name) => names.indexOf(name));
  assert.ok(!numbers({ restarts: false, functions: program.names }).includes(-1));
  scope['switchTracer'] = () => {
    const wanted = next();
    if (wanted.restarts) tracer.stop();
    const on = new Set(numbers(wanted));
    if (wanted.restarts) tracer.start({ tracer: 'function_graph' }, [...on]);
    else {
      tracer.patch(...names.map((_, n) => (on.has(n) ? [OPS_ID.TRACER] : [])));
    }
  };
  const main = runInThisContext(assemble(program.source, made.edits, '$f', 0)) as Main;
  tracer.start({ tracer: 'function_graph' }, numbers(begin));
  const result = main(v);
  tracer.stop();
  return { result, lines: tracer.lines() };
}

test('the graph of a random program is the one that the program itself logs, whatever is thrown, returned or switched', () => {
  let lines = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const seed = SEED * 100_000 + round;
    const program = randomProgram(seededRandom(seed));
    const switches = (): (() => Switch) => {
      const random = seededRandom(seed + 1);
      return () => randomSwitch(random, program.names);
    };
    const begin = switches()();
    const expected = told(program, begin, switches(), round % 7);
    if (expected === undefined) continue;
    assert.deepEqual(traced(program, begin, switches(), round % 7), expected, `seed ${seed}:\n${program.source}`);
    lines += expected.lines.length;
  }
  assert.ok(lines > ROUNDS, 'they call something');
});
