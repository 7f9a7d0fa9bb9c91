/** A random integer from 0 up to, but not, `below`. */
export type Random = (below: number) => number;

/** One program in two texts: as an author wrote it, and with calls that log what a tracer has to record. */
export interface RandomProgram {
  /** Names of its functions, `f0`, `f1`, ... */
  readonly names: readonly string[];
  /** A script: its value is a function of a number, which calls them, and `switchTracer()` of the global object now and then. */
  readonly source: string;
  /** The program where every function has `call(name, body)` of the global object run its body, or `generate(name, body)`. */
  readonly logged: string;
}

const FUNCTIONS = 7;
const DEPTH = 2;

/** How a function is declared around its body, so that `f0(v)` calls it; `n` is its number. */
interface Shape {
  declare(n: number, body: string): string;
  /** What the tracer names it. */
  name(n: number): string;
  /** What its body is put into. */
  around?(body: string): string;
  readonly isGenerator?: true;
}

const generator = (consume: (n: number) => string, around = (body: string): string => body): Shape => ({
  name: (n) => `generator${n}`,
  declare: (n, body) => `function* generator${n}(v) { ${body} } const f${n} = (v) => { ${consume(n)} return v; };`,
  around,
  isGenerator: true,
});

const SHAPES: readonly Shape[] = [
  { name: (n) => `f${n}`, declare: (n, body) => `function f${n}(v) { ${body} }` },
  { name: (n) => `f${n}`, declare: (n, body) => `function f${n}(v, w = ${n > 0 ? `f${n - 1}(v)` : '0'}) { ${body} }` },
  { name: (n) => `f${n}`, declare: (n, body) => `const f${n} = (v) => { ${body} };` },
  {
    name: (n) => `o${n}.get.getter${n}`,
    declare: (n, body) =>
      `const o${n} = { get getter${n}() { let v = this.v; ${body} } }; const f${n} = (v) => (o${n}.v = v, o${n}.getter${n});`,
  },
  {
    name: (n) => `Class${n}.constructor`,
    declare: (n, body) => `class Class${n} { constructor(v) { ${body} } } const f${n} = (v) => (new Class${n}(v), v);`,
  },
  generator((n) => `for (const x of generator${n}(v)) v += x;`),
  generator(
    (n) => `const g = generator${n}(v); v = g.next().value; switchTracer(); try { g.throw(v); g.next(); } catch (e) { v = e; }`,
    // What ends a generator at a yield outside of any try is not recorded.
    (body) => `try { ${body} } finally { v++; }`,
  ),
];

/** Programs of functions that call those before them, throw, catch, clean up, and return from everywhere. */
export function randomProgram(random: Random): RandomProgram {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const shapes = Array.from({ length: FUNCTIONS }, () => pick(SHAPES));

  const expression = (n: number): string => {
    const callee = n > 0 ? `f${random(n)}` : '';
    return pick(n > 0 ? ['v + 1', `${callee}(v)`, `${callee}(${callee}(v) + 1)`, `v % 2 ? ${callee}(v) : v`] : ['v', 'v + 1']);
  };
  const block = (n: number, depth: number): string => Array.from({ length: random(2) + 1 }, () => statement(n, depth)).join(' ');
  const statement = (n: number, depth: number): string => {
    const simple = [
      () => `v = ${expression(n)};`,
      () => `v = ${expression(n)};`,
      () => `if (v % ${random(3) + 2} === 0) return ${expression(n)};`,
      () => `if (v % ${random(4) + 3} === 1) throw v + 1;`,
      () => 'switchTracer();',
      () => (shapes[n]!.isGenerator ? 'yield v;' : 'v++;'),
    ];
    const nested = [
      () => `try { ${block(n, depth - 1)} } catch (e) { v = e; ${block(n, depth - 1)} }`,
      () => `try { ${block(n, depth - 1)} } finally { ${block(n, depth - 1)} }`,
      () => `try { ${block(n, depth - 1)} } catch { ${block(n, depth - 1)} } finally { ${block(n, depth - 1)} }`,
      () => `for (let i = 0; i < 3; i++) { ${block(n, depth - 1)} if (v % 5 === i) break; if (v % 3 === i) continue; v++; }`,
      () => `try { return ${expression(n)}; } finally { ${block(n, depth - 1)} }`,
    ];
    return pick(depth > 0 ? [...simple, ...nested] : simple)();
  };

  const bodies = shapes.map((shape, n) => {
    const body = `${block(n, DEPTH)} return ${expression(n)};`;
    return shape.around?.(body) ?? body;
  });
  const text = (wrap: (n: number, body: string) => string): string =>
    `(() => {\n${shapes.map((shape, n) => shape.declare(n, wrap(n, bodies[n]!))).join('\n')}
return function main(v) { try { return f${FUNCTIONS - 1}(v); } catch (e) { return 'threw ' + e; } }; })()`;
  const names = shapes.map((shape, n) => shape.name(n));
  return {
    names,
    source: text((_n, body) => body),
    logged: text((n, body) =>
      shapes[n]!.isGenerator
        ? `return yield* generate('${names[n]}', (function* () { ${body} })());`
        : `return call('${names[n]}', () => { ${body} });`,
    ),
  };
}
