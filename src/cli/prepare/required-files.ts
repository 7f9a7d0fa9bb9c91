import { createRequire, isBuiltin } from 'node:module';

/** A word in quotes that a text gives to `require()` or `import()`, or that an import statement has. */
const SPECIFIER = /\b(?:require\s*\(|import\s*\(?|from)\s*(['"])([^'"\n]+)\1/g;

/**
 * The files that a text names, as far as Node finds them: for the order of texts, which may be wrong. Words of comments are among
 * them.
 */
export const requiredFiles = (path: string, text: string): readonly string[] => {
  const { resolve } = createRequire(path);
  const words = new Set(Array.from(text.matchAll(SPECIFIER), ([, , word]) => word as string));
  return [...words].flatMap((word) => {
    try {
      return isBuiltin(word) ? [] : [resolve(word)];
    } catch {
      return [];
    }
  });
};
