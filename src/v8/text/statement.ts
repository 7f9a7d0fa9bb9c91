/**
 * The site of statement `index` of function number `n`: `{typeof Pln==="function"&&Pln(index,this,a,b)}`. The statements of a
 * function have one cell. The values of its variables are passed as they are: code that could read them later would keep them in
 * the heap.
 * @param names '' or a list that begins with a comma
 */
export const statementText = (prefix: string, n: number, index: number, passesThis: boolean, names: string): string =>
  `{typeof ${prefix}l${n}==="function"&&${prefix}l${n}(${index}${passesThis ? ',this' : ''}${names})}`;

/** A regular expression's source that matches every such site of `prefix` (already escaped). */
export const statementPattern = (prefix: string): string =>
  `\\{typeof ${prefix}l(?<statement>\\d+)==="function"&&${prefix}l\\k<statement>\\(\\d+(?:,[^(),]+)*\\)\\}`;
