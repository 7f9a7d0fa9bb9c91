import type { CodeScope } from './code-scope.js';
import type { Walk } from './walk.js';

/** The nearest enclosing function that has its own name; '' if there is none. */
export function scopeName(walk: Walk): string {
  for (let context: CodeScope | undefined = walk.context; context; context = context.parent) {
    if (context.found && !context.found.placed) return context.found.name;
  }
  return '';
}

/** The variable that gets the result of the call at index `at`: it names a callback outside of functions. */
export function directOwner(walk: Walk, at: number): string {
  const outer = walk.ancestors[at - 1];
  return outer?.type === 'VariableDeclarator' && outer.id.type === 'Identifier' ? outer.id.name : '';
}
