type LocalPortModule = typeof import('./local-port.js');

/** `require` of the control thread's bundle. */
declare const requireOwn_: (file: string) => (build: string, shared: object) => LocalPortModule;
/** The build's name, and what the bundle takes from the control thread's (scripts/build/sharing-bundles.mjs). */
declare const BUILD: string;
declare const sharedModules_: () => object;

/**
 * The port to the process's own machine code, a third of the control thread's text, which most processes never need.
 * @throws Error if the files of fentry are gone, or those of another build have taken their place
 */
export const loadLocalPort = (): LocalPortModule => requireOwn_('./local-port.cjs')(BUILD, sharedModules_());
