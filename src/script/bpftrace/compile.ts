import { type GlobalVariable, LIMITS, type ScriptHandler, type ScriptProgram, type StatsShape } from '../program.js';
import type { ScriptTarget } from '../target.js';
import { storedAs, typeOfGlobal } from './bpf-type.js';
import { checkExpression } from './check-expression.js';
import { checkBlock, checkPredicate } from './check-statement.js';
import { parseScript } from './parser.js';
import { providerOf, type ResolvedPoint, resolvePoint } from './points.js';
import { BpftraceError, formatProblem, type ScriptSource } from './problem.js';
import { type CompileOptions, HandlerScope, type MapState, ScriptScope } from './scopes.js';
import type { ProbeNode, ScriptTree } from './syntax-tree.js';

export type { CompileOptions } from './scopes.js';

export interface CompiledScript {
  readonly program: ScriptProgram;
  /** What bpftrace says on its standard error, and goes on. */
  readonly warnings: readonly string[];
}

/** How often types may change until they must be known: those of a map can depend on those of another. */
const MOST_PASSES = 10;

/**
 * Compiles a script of bpftrace's language for a program.
 * @throws BpftraceError with all that is wrong
 */
export function compileBpftrace(text: string, target: ScriptTarget, options: CompileOptions = {}): CompiledScript {
  const source: ScriptSource = { name: options.name ?? 'stdin', text };
  const tree = parseScript(source, options.args);
  const scope = new ScriptScope(source, options, tree.constants);
  const blocks = resolveBlocks(tree, target, scope);
  stopAtProblems(scope);
  let handlers: readonly ScriptHandler[] = [];
  for (let pass = 1; !scope.isLast; pass++) {
    scope.isLast = !scope.hasChanged && pass > 1;
    scope.hasChanged = false;
    handlers = blocks.flatMap(({ probe, points }, i) => points.map((point, j) => checkHandler(probe, point, scope, `${i}/${j}`)));
    stopAtProblems(scope);
    if (pass >= MOST_PASSES) scope.hasChanged = false;
  }
  const maps = [...scope.maps.values()];
  const program: ScriptProgram = {
    language: 'bpftrace',
    globals: maps.map((map) => globalOf(map, scope)),
    functions: [],
    handlers: handlers.filter(({ point }) => point.kind !== 'never'),
    limits: { ...LIMITS, MAXSTRINGLEN: scope.textSize, MAXMAPENTRIES: mapKeysOf(options) },
    printedAtEnd: maps.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ id }) => id),
  };
  return { program, warnings: scope.warnings.map((problem) => formatProblem(source, 'WARNING', problem)) };
}

function stopAtProblems({ source, problems }: ScriptScope): void {
  if (problems.length > 0) throw new BpftraceError(source, problems);
}

const mapKeysOf = ({ mapKeys }: CompileOptions): number => mapKeys ?? 4096;

interface Block {
  readonly probe: ProbeNode;
  readonly points: readonly ResolvedPoint[];
}

function resolveBlocks({ probes }: ScriptTree, target: ScriptTarget, scope: ScriptScope): readonly Block[] {
  const blocks = probes.map((probe) => ({ probe, points: resolveProbe(probe, target, scope) }));
  for (const kind of ['begin', 'end'] as const) {
    const written = probes.flatMap(({ points }) => points).filter(({ parts }) => parts[0] === kind.toUpperCase());
    if (written.length > 1) scope.problem(written[1]!.at, `More than one ${kind.toUpperCase()} probe defined`);
  }
  const hasPoints = blocks.some(({ points }) => points.some(({ point }) => point.kind !== 'never'));
  if (!hasPoints && scope.problems.length === 0) scope.problem(probes[0]!.points[0]!.at, 'No probes to attach');
  return blocks;
}

/** The places of a block. One that is not there is an error if the block has no other; with others only a warning. */
function resolveProbe({ points }: ProbeNode, target: ScriptTarget, scope: ScriptScope): readonly ResolvedPoint[] {
  const found = points.flatMap((point) => {
    const { points: resolved, errors, missing } = resolvePoint(point, target);
    for (const error of errors) scope.problem(point.at, error);
    if (missing !== undefined && points.length === 1) scope.problem(point.at, missing);
    else if (missing !== undefined) scope.warn(point.at, missing);
    return resolved;
  });
  // A block that stands nowhere says what its maps hold.
  const [first] = points;
  const provider = providerOf(first!.parts[0]!);
  if (found.length > 0 || provider === undefined) return found;
  return [{ provider, point: { kind: 'never' }, name: first!.text, functions: [] }];
}

function checkHandler(
  { predicate, body, points }: ProbeNode,
  point: ResolvedPoint,
  script: ScriptScope,
  id: string,
): ScriptHandler {
  const scope = new HandlerScope(script, point, id, checkExpression);
  const condition = predicate === undefined ? undefined : checkPredicate(predicate.condition, predicate.at, scope);
  const code = checkBlock(body, scope);
  return {
    point: point.point,
    name: point.name,
    resolvedName: point.name,
    fetches: scope.fetches,
    saves: scope.saves,
    ...(condition === undefined ? {} : { condition }),
    locals: scope.locals,
    body: code,
    place: script.place(points[0]!.at),
  };
}

function globalOf(map: MapState, scope: ScriptScope): GlobalVariable {
  const { type, keys = [] } = map;
  const stats = statsOf(map);
  return {
    name: map.name,
    keys: keys.map(storedAs),
    type: typeOfGlobal(type),
    ...(type.kind === 'integer' && !type.isSigned ? { isUnsigned: true } : {}),
    maxEntries: mapKeysOf(scope.options),
    ...(stats === undefined ? {} : { stats }),
    place: scope.place(map.at),
  };
}

function statsOf({ type, histogram }: MapState): StatsShape | undefined {
  if (type.kind !== 'aggregate') return undefined;
  if (type.name === 'hist' || type.name === 'lhist') return histogram === undefined ? {} : { histogram };
  return { shows: type.name };
}
