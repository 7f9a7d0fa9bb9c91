export type ScriptRuntime = typeof import('./script-runtime.js');

/** `require` of the agent's bundle, which is also in the scope of the bundle for tracing. */
declare const requireOwn_: (file: string) => (build: string, shared: object) => ScriptRuntime;
/** The build's name, and what the bundle for tracing has from the agent's (scripts/build/sharing-bundles.mjs). */
declare const BUILD: string;
declare const sharedModules_: object;

let loaded: ScriptRuntime | undefined;

/**
 * What scripts call on a thread, loaded for the first script.
 * @throws Error if the files of fentry are gone, or those of another build have taken their place
 */
export const loadScriptRuntime = (): ScriptRuntime => (loaded ??= requireOwn_('./script-runtime.cjs')(BUILD, sharedModules_));
