/** Undoes what a function changed in the program's realm, unless the program has replaced it since. */
export type Undo = () => void;

/** One for several; what was done last is undone first. */
export const undoAll =
  (undos: readonly Undo[]): Undo =>
  () => {
    for (let i = undos.length - 1; i >= 0; i--) (undos[i] as Undo)();
  };
