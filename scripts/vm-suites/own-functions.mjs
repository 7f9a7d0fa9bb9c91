// The functions of a package that its suite calls, as coverage counts them, and which of them a recording has.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';

/** What is compiled to a function, and what a function's name may be outside of. */
const FUNCTIONS = [ts.isFunctionLike, ts.isEnumDeclaration, ts.isModuleDeclaration];
const WRAPPERS = [ts.isParenthesizedExpression, ts.isAsExpression, ts.isConditionalExpression];

/** The name that the source gives to the function at a line and column, undefined where it has none of its own. */
function nameAt(source, { line, column }) {
  const position = source.getPositionOfLineAndCharacter(line - 1, column);
  let found;
  const visit = (node) => {
    if (position < node.getStart(source) || position >= node.end) return;
    if (FUNCTIONS.some((is) => is(node))) found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (let node = found; node !== undefined; node = node.parent) {
    if (ts.isConstructorDeclaration(node)) return 'constructor';
    if (node.name !== undefined)
      return node.name
        .getText(source)
        .replace(/^#|^['"]|['"]$/g, '')
        .replace(/[^\w$]/g, '_');
    if (ts.isBinaryExpression(node) && node.left !== found) return node.left.getText(source).split('.').at(-1);
    if (node !== found && !WRAPPERS.some((is) => is(node))) return undefined;
  }
  return undefined;
}

/**
 * The functions that were called: `{ file, line, name }`.
 * @param coverage Istanbul's coverage-final.json
 */
export function calledFunctions(coverage, folder) {
  return Object.values(coverage).flatMap(({ path, fnMap, f }) => {
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    return Object.entries(fnMap).flatMap(([id, { decl }]) =>
      f[id] > 0 ? [{ file: relative(folder, path), line: decl.start.line, name: nameAt(source, decl.start) }] : [],
    );
  });
}

/** Whether one of the recorded names is that of the function: its own, or with its line. */
export const isRecorded = ({ line, name }, recorded) =>
  recorded.some((one) => (name !== undefined && one.split('.').at(-1) === name) || new RegExp(`@${line}(?:\\.\\d+)?$`).test(one));
