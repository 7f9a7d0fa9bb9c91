type InspectionsModule = typeof import('./inspections.js');

/** `require` of the control thread's bundle. */
declare const requireOwn_: (file: string) => (build: string, shared: object) => InspectionsModule;
/** The build's name, and what the bundle takes from the control thread's (scripts/build/sharing-bundles.mjs). */
declare const BUILD: string;
declare const sharedModules_: () => object;

/**
 * What asks threads by the inspector, loaded for the first question.
 * @throws Error if the files of fentry are gone, or those of another build have taken their place
 */
export const loadInspections = (): InspectionsModule => requireOwn_('./inspections.cjs')(BUILD, sharedModules_());
