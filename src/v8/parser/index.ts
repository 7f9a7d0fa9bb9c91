/**
 * A parser of JavaScript that is fast from its first call: compiled to WebAssembly when fentry is built. It reads what programs
 * are written in; a text that it does not know for sure it refuses by a trap, and acorn, in JavaScript, decides what it is.
 *
 * The caller reserves room, writes the source there in UTF-16, and parses; then it reads the nodes from memory (kinds.ts),
 * decides edits, and has them written (edits.ts).
 */

import { beginClasses } from './classes';
import { beginContext, defaults, In } from './context';
import { beginEdits } from './edits';
import { Kind, Source, Type } from './kinds';
import { beginLabels } from './labels';
import { refuse, source, sourceEnd } from './memory';
import { beginModules, endModules } from './modules';
import { beginNodes, nodeTo, set } from './nodes';
import { setBound } from './patterns';
import { beginScopes, enter, Scope } from './scopes';
import { statements } from './statements';
import { begin } from './tokens';

export { assemble, behind, encode, give, isTextWide } from './edits';
export { reserve } from './memory';

/** Parses the text that was written. @param isWhole whether no node may be left out. Returns the program. */
export function parse(type: i32, isWhole: bool): i32 {
  const isModule = type === Source.Module;
  const isFunction = type === Source.Commonjs;
  beginContext(isModule ? In.Strict | In.Async : isFunction ? In.Function | In.Call : 0, isModule, isWhole);
  beginEdits();
  beginNodes(beginScopes());
  beginLabels();
  beginClasses();
  beginModules();
  setBound(false, false);
  enter(isFunction ? Scope.Function : Scope.Top);
  begin();
  const first = statements(Kind.End, true, true);
  if (defaults !== 0) refuse();
  endModules();
  const program = nodeTo(Type.Program, source, sourceEnd, 1);
  set(program, 0, first);
  return program;
}
