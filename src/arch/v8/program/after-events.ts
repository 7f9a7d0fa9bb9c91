/** Called after an event of `process`: whether it had listeners, and its arguments. */
export type AfterEvent = (heard: boolean, ...details: readonly unknown[]) => void;

/**
 * Calls functions after an event of `process`, by the event's name, when the program's own listeners have run. Listeners of
 * fentry would run before theirs, and be counted with them.
 * @returns a function that ends it and removes the method, unless the program has replaced it
 */
export function afterEvents(followers: Readonly<Record<string, AfterEvent>>): () => void {
  const { emit } = process;
  const { apply } = Reflect;
  const before = Object.getOwnPropertyDescriptor(process, 'emit');
  let followerOf: Readonly<Record<string | symbol, AfterEvent | undefined>> = { __proto__: null as never, ...followers };
  function emitAndFollow(this: NodeJS.Process, ...args: [never, ...never[]]): boolean {
    const heard = apply(emit, this, args) as boolean;
    const [name, ...details] = args;
    followerOf[name]?.(heard, ...details);
    return heard;
  }
  Object.defineProperty(emitAndFollow, 'name', { value: 'emit', configurable: true });
  Object.defineProperty(process, 'emit', { value: emitAndFollow, writable: true, enumerable: false, configurable: true });
  return () => {
    followerOf = { __proto__: null as never };
    if (process.emit !== emitAndFollow) return;
    if (before === undefined) Reflect.deleteProperty(process, 'emit');
    else Object.defineProperty(process, 'emit', before);
  };
}
