export type Tracing = typeof import('./tracing.js');

/** `require` of the agent's bundle, which knows V8's code of fentry's other bundles (bundle-code.ts). */
declare const requireOwn_: (file: string) => (build: string, shared: object) => Tracing;
/** The build's name, and what the bundle takes from the agent's (scripts/build.mjs). */
declare const BUILD: string;
declare const sharedModules_: () => object;

let loaded: Tracing | undefined;

/**
 * Code of the agent for tracing, loaded when it is first needed.
 * @throws Error if the files of fentry are gone, or those of another build have taken their place
 */
export const loadTracing = (): Tracing => (loaded ??= requireOwn_('./tracing.cjs')(BUILD, sharedModules_()));
