/** Where the time of a program's start went, by modules: what `fentry report --modules --json` prints. */
export interface ModulesAnswer {
  readonly answer: 'modules';
  /** Goes up when a field is removed, or means something else. */
  readonly version: 2;
  /** The folder that the program was started in; '' if it was not recorded. Files are shown relative to it. */
  readonly application: string;
  /** Nanoseconds of all modules. */
  readonly time: number;
  /** The modules that no other one imported: the first of each program, and those of `import()`. Largest first. */
  readonly modules: readonly ModuleTime[];
}

/** The time of a module's code outside of functions. Times are nanoseconds. */
export interface ModuleTime {
  readonly file: string;
  /** The npm package; absent for the application's own. */
  readonly package?: string;
  /** Time of its code with the functions that it called, without the loading and the code of other modules. */
  readonly own: number;
  /** What reading its file took, with what load hooks of the program made of it. Absent: not known. */
  readonly read?: number;
  /** What compiling it took, until its code began. Of an ES module until Node took its next step. Absent: not known. */
  readonly compile?: number;
  /** What fentry took to give it its sites, or to read them from its cache: no part of the others. */
  readonly sites: number;
  /** `own`, `read` and `compile`, and those of all modules that came by it. */
  readonly total: number;
  /** Present if it awaits outside of functions: `own` is 0, because it is not known when its code runs. */
  readonly waits?: true;
  /** Present if its code did not come to its end while it was recorded. */
  readonly isOpen?: true;
  /** The modules that it imported, or required, before any other one did. Largest first. */
  readonly imports: readonly ModuleTime[];
}
