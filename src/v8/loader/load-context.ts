/** The part of a load hook's context that is used here. */
export interface LoadContext {
  readonly format?: string | null;
  readonly conditions?: readonly string[];
}

/** The result of a load hook. */
export interface LoadResult {
  format?: string | null;
  source?: unknown;
  shortCircuit?: boolean;
}

/** Whether a module is loaded by `require`. It calls nothing that the program may have put in the place of a built-in. */
export const isRequired = ({ conditions }: LoadContext): boolean => {
  if (conditions === undefined) return false;
  for (let i = 0; i < conditions.length; i++) if (conditions[i] === 'require') return true;
  return false;
};
