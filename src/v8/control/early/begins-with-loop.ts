const BLANK = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
/** A loop whose every turn passes its first place for a breakpoint. A `for` with an initializer passes it once. */
const LOOP = /(?:[\w$]+\s*:\s*)*(?:while\b|do\b|for\s*\(\s*;)/y;

/** Whether the statement at an offset of a source is such a loop. */
export function beginsWithLoop(source: string, offset: number): boolean {
  BLANK.lastIndex = offset;
  BLANK.test(source);
  LOOP.lastIndex = BLANK.lastIndex;
  return LOOP.test(source);
}
