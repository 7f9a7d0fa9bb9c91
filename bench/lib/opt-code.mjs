/** One line of V8's disassembly: address, offset, bytes, then the instruction. */
const INSTRUCTION = /^0x[0-9a-f]+ +[0-9a-f]+ +(?:[0-9a-f]{2,}) +(\S.*)$/i;

/** What differs from run to run: addresses, heap objects, comments, and the offsets of jumps. */
const normalize = (text) =>
  text
    .replace(/\s*;;.*$/, '')
    .replace(/\s*<[^>]*>/g, '')
    .replace(/\s*\([^)]*\)\s*$/, '')
    .replace(/0x[0-9a-f]{5,}/gi, 'ADDRESS')
    .replace(/^(j\w+)\s+.*$/, '$1 LABEL')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The instructions of each optimized function in what `--print-opt-code` printed: name -> the normalized lines of its last
 * version.
 * @param {string} text
 */
export const parseOptCode = (text) => {
  const functions = new Map();
  for (const section of text.split('--- Optimized code ---').slice(1)) {
    const name = /^name = (.*)$/m.exec(section)?.[1];
    const body = /^Instructions \(size = \d+\)\n([\s\S]*?)(?:\n\s*\n|$(?![\s\S]))/m.exec(section)?.[1];
    if (!name || body === undefined) continue;
    const lines = body.split('\n').flatMap((line) => INSTRUCTION.exec(line)?.[1] ?? []);
    functions.set(name, lines.map(normalize));
  }
  return functions;
};
