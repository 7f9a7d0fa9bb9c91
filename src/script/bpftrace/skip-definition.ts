/**
 * Finds the end of a definition of C that stands here: `struct NAME { ... };`, `union`, `enum`, `typedef`. The constants of an
 * enum are kept; kernel types are of no use in programs of JavaScript, and are only read over.
 * @returns undefined: there is none here, or it has no end
 */
export function skipDefinition(text: string, start: number, constants: Map<string, bigint>): number | undefined {
  const [, word] = /^(struct|union|enum|typedef)\s/.exec(text.slice(start, start + 20)) ?? [];
  if (word === undefined) return undefined;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '{') depth++;
    else if (char === '}') depth--;
    if (depth < 0) return undefined;
    if (char !== ';' || depth > 0) continue;
    if (word === 'enum') readEnum(text.slice(start, at), constants);
    return at + 1;
  }
  return undefined;
}

function readEnum(text: string, constants: Map<string, bigint>): void {
  const [, body] = /\{([^}]*)\}/.exec(text) ?? [];
  let value = 0n;
  for (const [, name, given] of (body ?? '').matchAll(/([A-Za-z_]\w*)(?:\s*=\s*(-?\s*(?:0[xX][0-9a-fA-F]+|\d+)))?\s*(?:,|$)/g)) {
    const sign = given?.startsWith('-') ? -1n : 1n;
    if (given !== undefined) value = sign * BigInt(given.replace(/^-\s*/, ''));
    constants.set(name!, BigInt.asIntN(64, value));
    value += 1n;
  }
}
