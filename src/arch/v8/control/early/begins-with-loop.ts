const BLANK = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
/** A statement whose first place for a breakpoint is passed by every turn. A `for` with a first part passes that once. */
const LOOP = /(?:[\w$]+\s*:\s*)*(?:while\b|do\b|for\s*\(\s*;)/y;

/** Whether the statement at an offset of a source is a loop that comes back to its own beginning. */
export function beginsWithLoop(source: string, offset: number): boolean {
  BLANK.lastIndex = offset;
  BLANK.test(source);
  LOOP.lastIndex = BLANK.lastIndex;
  return LOOP.test(source);
}
