/** Takes back what a function put into the program's realm, as far as nobody has put something over it since. */
export type Undo = () => void;

/** One for several; what was done last is undone first. */
export const undoAll =
  (undos: readonly Undo[]): Undo =>
  () => {
    for (let i = undos.length - 1; i >= 0; i--) (undos[i] as Undo)();
  };
