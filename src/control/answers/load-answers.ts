type Answers = typeof import('./answer-files.js');

/** `require` of the control thread's bundle. */
declare const requireOwn_: (file: string) => (build: string, shared: object) => Answers;
/** The build's name, and what the bundle takes from the control thread's (scripts/build/sharing-bundles.mjs). */
declare const BUILD: string;
declare const sharedModules_: () => object;

let loaded: Answers | undefined;

/**
 * What makes answers, loaded for the first of them.
 * @throws Error if the files of fentry are gone, or those of another build have taken their place
 */
export const loadAnswers = (): Answers => (loaded ??= requireOwn_('./answers.cjs')(BUILD, sharedModules_()));
