import type { ScriptPoint } from '../../program.js';
import type { TargetFunction } from '../../target.js';
import type { StapExpression, StapFile, Statement } from '../syntax-tree.js';
import type { SemanticNeeds } from './bind-script.js';
import { type DerivedProbe, deriveProbes } from './derive-points.js';
import type { BasePoint } from './point-table.js';
import { SemanticError } from './semantic-error.js';

type FunctionPoint = Extract<ScriptPoint, { kind: 'function' }>;

/**
 * The points that the probes of a file name, a line each, as `stap -l` prints them, or with what can be read there (`stap -L`).
 * An alias is listed by its own name, with what its body assigns.
 */
export function listPoints(file: StapFile, needs: SemanticNeeds, withVariables: boolean): readonly string[] {
  const { library, target } = needs;
  const aliases = file.aliases.map((alias) => ({ alias, file }));
  const lines = new Set<string>();
  for (const { points, body } of file.probes) {
    for (const point of points) {
      try {
        for (const derived of deriveProbes([point], { block: body, file }, { library, target, aliases })) {
          for (const line of linesOf(derived, needs, withVariables)) lines.add(line);
        }
      } catch (error) {
        // What matches nothing is not listed.
        if (!(error instanceof SemanticError)) throw error;
      }
    }
  }
  return [...lines].sort();
}

function linesOf(derived: DerivedProbe, { target }: SemanticNeeds, withVariables: boolean): readonly string[] {
  const { base, alias, parts } = derived;
  if (alias !== undefined) {
    const names = new Set(parts.slice(0, -1).flatMap(({ block }) => assigned(block.statements)));
    return [`${alias}${withVariables ? [...names].map((name) => ` ${name}`).join('') : ''}`];
  }
  if (base.point.kind !== 'function') return [`${base.name}${withVariables ? typesText(base) : ''}`];
  const { point } = base;
  return target
    .functions(point)
    .map((one) => `${functionName(base, point, one)}${withVariables ? functionTypes(base, one) : ''}`);
}

const typesText = ({ variables: { types } }: BasePoint): string =>
  Object.entries(types)
    .map(([name, type]) => ` $${name}:${type}`)
    .join('');

/** `kernel.function("area@shop.js:12").return`: one of the functions that a point names. */
function functionName({ name }: BasePoint, { at }: FunctionPoint, { symbol, file, line }: TargetFunction): string {
  const head = name.slice(0, name.indexOf('.function(') + '.function('.length);
  return `${head}"${symbol}@${file}:${line}")${at === 'return' ? '.return' : ''}`;
}

const functionTypes = ({ variables }: BasePoint, { params }: TargetFunction): string =>
  [...(variables.isReturn ? ['return'] : []), ...params].map((name) => ` $${name}:value`).join('');

/** The names to which statements assign. */
function assigned(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap((statement): readonly string[] => {
    if (statement.kind === 'block') return assigned(statement.statements);
    if (statement.kind === 'if') return assigned([statement.yes, ...(statement.no === undefined ? [] : [statement.no])]);
    return statement.kind === 'expression' ? assignedBy(statement.expression) : [];
  });
}

const assignedBy = (expression: StapExpression): readonly string[] =>
  expression.kind === 'assign' && expression.target.kind === 'symbol' ? [expression.target.name] : [];
