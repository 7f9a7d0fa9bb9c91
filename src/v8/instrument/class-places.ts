import { CHILDREN } from './children.js';
import { type AnyNode, parse } from './parse.js';

/** A class, or a function; `end` is not part of it. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly isClass: boolean;
}

const CLASS = /^Class(?:Declaration|Expression)$/;
const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** The classes in a text, and the functions, from the outer to the inner. */
function partsOf(source: string, isModule: boolean): readonly Part[] {
  const parts: Part[] = [];
  const walk = (node: AnyNode): void => {
    const { type, start, end } = node;
    // V8 returns from the initializers of a class behind its end. Before a function's first unit it stops in what is around.
    if (CLASS.test(type)) parts.push({ start, end: end + 1, isClass: true });
    else if (FUNCTION.test(type)) parts.push({ start: start + 1, end, isClass: false });
    for (const field of CHILDREN[type] ?? []) {
      for (const child of [node[field] as AnyNode | null | (AnyNode | null)[]].flat()) if (child) walk(child);
    }
  };
  walk(parse(source, isModule ? 'module' : 'commonjs') as AnyNode);
  return parts;
}

/**
 * Returns what says whether an offset of a text is in a class, and in no function inside of it: in the value of a field, a static
 * block, a computed name, or what the class extends.
 * @throws SyntaxError if the text cannot be read
 */
export function classTest(source: string, isModule: boolean): (offset: number) => boolean {
  const parts = partsOf(source, isModule);
  return (offset) => parts.findLast(({ start, end }) => start <= offset && offset < end)?.isClass ?? false;
}
