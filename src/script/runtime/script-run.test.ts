import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitScript } from '../emit/emit-script.js';
import { createScriptThread } from './script-thread.js';
import { compileText, drain, endScript, programOf, runScript, startScript, testContext } from './testing/script-run.js';

/** What is printed and said of a script of SystemTap. */
const stap = (text: string, ...words: string[]): { out: string; err: string } => {
  const { out, err } = runScript('stap', text, words);
  return { out, err };
};

const ended = (text: string, ...words: string[]): string => stap(text, ...words).err.split('\n')[0]!;

test('errors end a script, with the place and the token, and no end handler runs', () => {
  const { out, err } = stap(
    'global z\nprobe begin { println(7 / z) }\nprobe end { println("end") }\nprobe error { println("error") }',
  );
  assert.equal(out, 'error\n');
  assert.equal(err, "ERROR: division by 0 near operator '/' at <input>:2:25\nWARNING: Number of errors: 1, skipped probes: 0\n");
});

test('what never ends is ended', () => {
  assert.match(ended('probe begin { while (1) {} }'), /^ERROR: MAXACTION exceeded near /);
  assert.match(ended('probe begin { for (;;) { i++ } }'), /^ERROR: MAXACTION exceeded near /);
  assert.match(
    ended('function f(x) { return f(x + 1) }\nprobe begin { f(1) println(f(2)) }'),
    /^ERROR: MAX(NESTING|ACTION) exceeded/,
  );
  // A handler that catches all errors cannot catch this one.
  assert.match(ended('probe begin { while (1) { try { while (1) {} } catch { } } }'), /^ERROR: MAXACTION exceeded near /);
});

test('a full array is an error, and one that wraps drops its oldest', () => {
  assert.match(
    ended('global a[2]\nprobe begin { for (i = 0; i < 3; i++) a[i] = i; println(a[0]) }'),
    /^ERROR: Array overflow, check size limit \(2\) near identifier 'a' at <input>:2:39/,
  );
  assert.match(
    ended('global a\nprobe begin { for (i = 0; i < 9; i++) a[i] <<< i; println(@count(a[0])) }', '-D', 'MAXMAPENTRIES=8'),
    /^ERROR: Array overflow, check MAXMAPENTRIES near/,
  );
  assert.equal(
    stap('global a%[2]\nprobe begin { for (i = 0; i < 5; i++) a[i] = i * i; foreach (k in a) printf("%d=%d ", k, a[k]) }').out,
    '3=9 4=16 ',
  );
});

test('an error that is caught is none', () => {
  assert.deepEqual(stap('probe begin { try { error("a\\"b") } catch (e) { println("caught ", e) } println("on") }'), {
    out: 'caught a"b\non\n',
    err: '',
  });
});

test('keys of any name are texts', () => {
  const text =
    'global a, s\nprobe begin { a["__proto__"] = 1; a["constructor"] = 2; s["__proto__"] <<< 4; s["toString"] <<< 5\nforeach (k in a) printf("%s=%d ", k, a[k]) foreach (k in s-) printf("%s ", k) println(@sum(s["__proto__"])) }';
  assert.equal(stap(text).out, '__proto__=1 constructor=2 __proto__ toString 4\n');
});

test('no text or name of a script is in its code', () => {
  const program = programOf(
    'stap',
    'global evil_name\nfunction evil_function(evil_local) { return evil_local . "evil_text" }\nprobe begin { evil_name["evil_key"] = evil_function("evil"); printf("evil_format %s", evil_name["x"]) }',
  );
  const { functions, handlers } = emitScript(program);
  assert.doesNotMatch([functions, ...handlers.map(({ body }) => body.text.join(''))].join('\n'), /evil/);
});

test('a program that is nested too deeply is refused', () => {
  const program = programOf('stap', 'probe begin { println(1) }');
  let deep: unknown = { op: 'long', value: 1n };
  for (let i = 0; i < 200_000; i++) deep = { op: '-', of: deep };
  const [handler] = program.handlers;
  const nested = { ...handler!, body: [{ do: 'expression', expression: deep }] } as (typeof program.handlers)[number];
  assert.throws(() => emitScript({ ...program, handlers: [nested] }), /nested too deeply/);
});

test('one hit in 64 is timed, for all of them, and each after one that takes long', () => {
  const run = startScript(programOf('stap', 'global n\nprobe kernel.function("f") { n++ }'));
  let ns = 5e9;
  let took = 100_000;
  const slow = { ...testContext(0), nsecs: () => (ns += took) };
  const thread = createScriptThread(run.code, run.memory, slow, compileText);
  const hit = thread.compileHandler<(at: number) => void>(0, [], ['at'], { saved: undefined });
  for (let i = 0; i < 64 * 200; i++) hit(0);
  assert.equal(run.control.spent(0), 64 * 200 * 100_000);
  took = 2e6;
  for (let i = 0; i < 64 + 3; i++) hit(0);
  // A long one counts once: the thread may not have run meanwhile. It says nothing of those before it.
  assert.equal(run.control.spent(0), 64 * 200 * 100_000 + 63 * 100_000 + 2e6 + 3 * 2e6);
});

test('output that finds no room is counted, and said at the end', () => {
  const run = startScript(
    programOf('stap', 'probe kernel.function("f") { printf("%100s\\n", "x") }', ['-D', 'MAXSTRINGLEN=200']),
  );
  for (let i = 0; i < 60_000; i++) run.thread.run(0);
  const { lost } = run.control.counts();
  assert.ok(lost > 0);
  drain(run);
  assert.equal(run.out.length, (60_000 - lost) * 101);
  endScript(run);
  assert.match(run.err, new RegExp(`^WARNING: There were ${lost} transport failures.$`, 'm'));
});

test('abort ends the handler and the script without an error, and is not caught', () => {
  const run = startScript(
    programOf('stap', 'probe kernel.function("f") { try { println("a") abort() } catch { println("b") } println("c") }'),
  );
  for (let i = 0; i < 2; i++) run.thread.run(0);
  drain(run);
  assert.equal(run.out, 'a\n');
  endScript(run);
  assert.equal(run.err, '');
});

test('the built-ins that a program has replaced change nothing', () => {
  const run = startScript(
    programOf(
      'stap',
      'global a, s, n\nprobe kernel.function("f") { a[n, "k"] = n; s["k"] <<< n; n++ ; printf("%d %s\\n", n, sprintf("%05d", n)) }',
    ),
  );
  const prototypes = [Map.prototype, Array.prototype, String.prototype, Number.prototype, BigInt.prototype] as unknown as Record<
    string,
    unknown
  >[];
  const names = ['get', 'set', 'has', 'delete', 'push', 'pop', 'join', 'slice', 'padStart', 'charCodeAt', 'toString', 'map'];
  const kept = prototypes.map((prototype) => names.map((name) => Object.getOwnPropertyDescriptor(prototype, name)));
  const broken = (): never => {
    throw new Error('it was called');
  };
  run.thread.run(0);
  for (const prototype of prototypes)
    for (const name of names)
      if (name in prototype) Object.defineProperty(prototype, name, { value: broken, configurable: true });
  for (let i = 0; i < 3; i++) run.thread.run(0);
  for (let i = 0; i < prototypes.length; i++) {
    for (let j = 0; j < names.length; j++) {
      const descriptor = kept[i]![j];
      if (descriptor === undefined) Reflect.deleteProperty(prototypes[i]!, names[j]!);
      else Object.defineProperty(prototypes[i]!, names[j]!, descriptor);
    }
  }
  drain(run);
  assert.equal(run.err, '');
  assert.equal(run.out, '1 00001\n2 00002\n3 00003\n4 00004\n');
});

test('texts of the program are keys as they are stored: cut at a zero and at their room, whatever made them', () => {
  const run = startScript(programOf('bpftrace', 'kprobe:f { @[str(arg0)] = count(); }'));
  const hit = run.thread.compileHandler<(at: number, text: unknown) => void>(0, ['text'], ['at', 'text'], { saved: undefined });
  const long = 'x'.repeat(70);
  const wide = 'ä'.repeat(40);
  const joined = (n: number): string => `${'a text of 20 chars '}${n}`;
  for (let i = 0; i < 3; i++) {
    for (const text of [
      joined(1),
      joined(2),
      `${joined(1)}\0rest`,
      'é',
      long,
      `${long}y`,
      wide,
      'ä'.repeat(31),
      '',
      '\0',
      7,
      '7',
    ])
      hit(0, text);
  }
  assert.deepEqual(
    run.control
      .globals()
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .sort(),
    [
      '@[a text of 20 chars 1]: 6',
      '@[a text of 20 chars 2]: 3',
      '@[é]: 3',
      `@[${'x'.repeat(63)}]: 6`,
      `@[${'ä'.repeat(31)}]: 6`,
      '@[]: 6',
      '@[7]: 6',
    ].sort(),
  );
});

test('a text that was deleted, or has made room for a newer one, is counted anew', () => {
  const run = startScript(
    programOf(
      'stap',
      'global by%[2], all\nprobe kernel.function("f") { by[user_string($x)] <<< 1; all[user_string($x)] <<< 1\nif (user_string($x) == "drop") delete all }',
    ),
  );
  const { body, fetches } = run.code.handlers[0]!;
  assert.match(body.text.join(''), /h.entryText/);
  const sources = fetches.map(() => 'text');
  const hit = run.thread.compileHandler<(at: number, text: string) => void>(0, sources, ['at', 'text'], { saved: undefined });
  for (const text of ['one', 'two', 'one', 'three', 'one', 'drop', 'two', 'one', 'one', 'two']) hit(0, text);
  drain(run);
  assert.equal(run.err, '');
  const counts = [...run.control.globals().matchAll(/^(\w+)\["(\w+)"\] @count=(\d+)/gm)].map(([, ...parts]) => parts.join(' '));
  assert.deepEqual(counts.sort(), ['all one 2', 'all two 2', 'by one 2', 'by two 2']);
});
