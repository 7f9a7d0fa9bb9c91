export type Scripts = typeof import('./script-entry.js');

/** `require` of the control thread's bundle. */
declare const requireOwn_: (file: string) => (build: string, shared: object) => Scripts;
/** The build's name, and what the bundle takes from the control thread's (scripts/build/sharing-bundles.mjs). */
declare const BUILD: string;
declare const sharedModules_: () => object;

let loaded: Scripts | undefined;

/**
 * What compiles and runs scripts, loaded for the first of them.
 * @throws Error if the files of fentry are gone, or those of another build have taken their place
 */
export const loadScripts = (): Scripts => (loaded ??= requireOwn_('./scripts.cjs')(BUILD, sharedModules_()));
