/** A function that a live patch replaces, as sysfs names it: OBJECT/FUNCTION,SYMPOS. */
export interface LivepatchFunction {
  /** `vmlinux`, or the npm package. */
  readonly object: string;
  readonly name: string;
  /** Its place among the functions of this name in the object, from 1. */
  readonly sympos: number;
}

/** A live patch (struct klp_patch). */
export interface Livepatch {
  readonly name: string;
  /** What it is, or becomes when its transition is over. */
  readonly enabled: boolean;
  readonly inTransition: boolean;
  readonly functions: readonly LivepatchFunction[];
  /**
   * Begins a transition; resolves when every thread knows of it. When the one to disabled is over, the patch is removed.
   * @throws TraceError EINVAL if it is enabled, or disabled, already
   */
  setEnabled(enabled: boolean): Promise<void>;
  /**
   * Ends the transition at once.
   * @throws TraceError EINVAL if there is none
   */
  force(): Promise<void>;
}

/** The live patches of the process (Documentation/livepatch/livepatch.rst). */
export interface Livepatches {
  /** In the order in which they were loaded. */
  readonly all: readonly Livepatch[];
  /**
   * Loads the file of a patch into every thread, and enables the patch.
   * @param path absolute
   * @throws TraceError EEXIST if the name is in use, ENOENT without the file, EBUSY if a function has another owner, EINVAL for a
   * file
   *   that cannot be loaded and for functions that cannot be replaced by it, ETIMEDOUT if the program does not run
   */
  load(name: string, path: string): Promise<unknown>;
  /** The functions whose calls are followed, for the transitions of patches that come. */
  readonly followed: readonly number[];
  /**
   * Follows the calls of the functions that these words name, and of no others, also of functions that are loaded later.
   * @throws TraceError EINVAL for a word that matches nothing
   */
  follow(words: readonly string[]): Promise<void>;
  /** The same, but leaves the patch disabled: from then on calls of its functions are seen, for the transition that comes. */
  prepare(name: string, path: string): Promise<unknown>;
}
