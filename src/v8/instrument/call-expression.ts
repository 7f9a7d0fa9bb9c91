import { type Node, Parser } from 'acorn';

const LATEST = { ecmaVersion: 'latest' } as const;

/**
 * The call that contains offset `at` of `code`, found as Node 20 does for the message of `assert(value)`: it tries an
 * expression from the start of each token, and takes the innermost call of the first one that reaches `at`. `code` may be the
 * beginning of something longer.
 */
export function callExpressionAt(code: string, at: number): { start: number; end: number } | undefined {
  const tokens = Parser.tokenizer(code, LATEST);
  for (;;) {
    let start: number;
    try {
      const token = tokens.getToken();
      if (token.type.label === 'eof' || token.start > at) return undefined;
      start = token.start;
    } catch {
      return undefined;
    }
    const call = innermostCall(expressionFrom(code, start), at);
    if (call !== undefined) return call;
  }
}

function expressionFrom(code: string, start: number): Node | undefined {
  try {
    return Parser.parseExpressionAt(code, start, LATEST);
  } catch {
    return undefined;
  }
}

function innermostCall(node: unknown, at: number): Node | undefined {
  if (Array.isArray(node)) {
    for (const one of node) {
      const found = innermostCall(one, at);
      if (found) return found;
    }
    return undefined;
  }
  if (typeof node !== 'object' || node === null || typeof (node as Node).type !== 'string') return undefined;
  const { start, end, type } = node as Node;
  if (start > at || end < at) return undefined;
  for (const child of Object.values(node)) {
    const found = innermostCall(child, at);
    if (found) return found;
  }
  return type === 'CallExpression' ? (node as Node) : undefined;
}
