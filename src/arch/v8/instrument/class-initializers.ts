import { CHILDREN } from './children.js';
import { type AnyNode, parse } from './parse.js';

/** A part of a text: of an initializer of a class (the value of a field, a static block), or of a function. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly isInitializer: boolean;
}

const CLASS = /^Class(?:Declaration|Expression)$/;
const INITIALIZED = /^(?:PropertyDefinition|StaticBlock)$/;
const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** The initializers of the classes in a text, and the functions, from the outer to the inner. */
function partsOf(source: string, isModule: boolean): readonly Part[] {
  const parts: Part[] = [];
  const add = ({ start, end }: AnyNode, isInitializer: boolean): void => {
    // V8 returns from an initializer behind its end. Before a function's first unit it stops in what is around.
    parts.push({ start: isInitializer ? start : start + 1, end: isInitializer ? end + 1 : end, isInitializer });
  };
  /** Where V8 returns from initializers that it takes to begin and end with their class. */
  const addEnds = ({ start, end }: AnyNode): void => {
    parts.push({ start, end: start + 1, isInitializer: true }, { start: end, end: end + 1, isInitializer: true });
  };
  const walk = (node: AnyNode): void => {
    if (node.type === 'StaticBlock') add(node, true);
    else if (FUNCTION.test(node.type)) add(node, false);
    else if (CLASS.test(node.type) && node.body.body.some(({ type }: AnyNode) => INITIALIZED.test(type))) addEnds(node);
    for (const field of CHILDREN[node.type] ?? []) {
      for (const child of [node[field] as AnyNode | null | (AnyNode | null)[]].flat()) {
        if (child === null || child === undefined) continue;
        if (node.type === 'PropertyDefinition' && field === 'value') add(child, true);
        walk(child);
      }
    }
  };
  walk(parse(source, isModule ? 'module' : 'commonjs') as AnyNode);
  return parts;
}

/**
 * Returns what says whether an offset of a text is in an initializer of a class, and in no function inside of it. V8 makes the initializers
 * of a class a function of their own.
 * @throws SyntaxError if the text cannot be read
 */
export function initializerTest(source: string, isModule: boolean): (offset: number) => boolean {
  const parts = partsOf(source, isModule);
  return (offset) => parts.findLast(({ start, end }) => start <= offset && offset < end)?.isInitializer ?? false;
}
