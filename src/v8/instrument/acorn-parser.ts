/** The parser in JavaScript, with what needs it: a bundle of its own, loaded when a text needs it (parse.ts). */
import { Parser, type Program } from 'acorn';

export { callExpressionAt } from './call-expression.js';

/**
 * How to parse a source. CommonJS is parsed as inside its wrapper: top-level return, new.target, `await` a name. `async-body`
 * is the body of an async function, without the function.
 */
export type SourceType = 'script' | 'commonjs' | 'module' | 'async-body';

/** Regular expressions are not checked: that takes time, and V8 may accept more than the parser. */
class TextParser extends Parser {
  validateRegExpFlags(): void {}
  validateRegExpPattern(): void {}
}

/** The syntax tree of `source`. Throws SyntaxError, and RangeError on a source nested too deep. */
export function parse(source: string, type: SourceType): Program {
  const isBody = type === 'async-body';
  return TextParser.parse(source, {
    ecmaVersion: 'latest',
    sourceType: isBody ? 'script' : type,
    allowHashBang: !isBody,
    preserveParens: true,
    ...(isBody && { allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true }),
  });
}
