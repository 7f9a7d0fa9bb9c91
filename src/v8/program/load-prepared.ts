export type PreparedTexts = typeof import('../loader/prepared-packs.js');

/** `require` of the agent's bundle, which knows V8's code of fentry's other bundles (bundle-code.ts). */
declare const requireOwn_: (file: string) => (build: string, shared: object) => PreparedTexts;
/** The build's name, and what the bundle takes from the agent's (scripts/build.mjs). */
declare const BUILD: string;
declare const sharedModules_: () => object;

/**
 * What reads prepared caches, loaded if there are some.
 * @throws Error if the files of fentry are gone, or those of another build have taken their place
 */
export const loadPrepared = (): PreparedTexts => requireOwn_('./prepared.cjs')(BUILD, sharedModules_());
