/**
 * Has `run` called when the thread's `exit` event is over, after the program's own listeners. A listener would come before
 * theirs, and be counted among them.
 */
export function afterExitEvent(run: () => void): void {
  const { emit } = process;
  const { apply } = Reflect;
  function emitAndRun(this: NodeJS.Process, ...args: [never, ...never[]]): boolean {
    const heard = apply(emit, this, args) as boolean;
    if ((args[0] as string) === 'exit') run();
    return heard;
  }
  Object.defineProperty(emitAndRun, 'name', { value: 'emit', configurable: true });
  Object.defineProperty(process, 'emit', { value: emitAndRun, writable: true, enumerable: false, configurable: true });
}
