/** A file, and the files that its text asks for, in this order. */
export interface FileWithRequired {
  readonly path: string;
  readonly required: readonly string[];
}

/**
 * The paths of files in the order in which programs would read them: each file is followed by what it asks for and was not read
 * before. Files that no other one asks for come first, as a program begins with one of them.
 */
export const loadOrder = (files: readonly FileWithRequired[]): readonly string[] => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const asked = new Set(files.flatMap(({ path, required }) => required.filter((other) => other !== path)));
  const roots = [...files.filter(({ path }) => !asked.has(path)), ...files];
  const ordered = new Set<string>();
  // A stack of its own: chains of files may be longer than calls can be deep.
  const waiting = roots.map(({ path }) => path).reverse();
  while (waiting.length > 0) {
    const file = byPath.get(waiting.pop()!);
    if (file === undefined || ordered.has(file.path)) continue;
    ordered.add(file.path);
    for (const path of file.required.toReversed()) if (!ordered.has(path)) waiting.push(path);
  }
  return [...ordered];
};
