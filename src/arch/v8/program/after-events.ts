/** What follows an event of `process`: whether somebody listened to it, and what it was emitted with. */
export type AfterEvent = (heard: boolean, ...details: readonly unknown[]) => void;

/**
 * Has functions called when an event of `process` is over, by the event's name, after the program's own listeners. Listeners
 * would come before theirs, and be counted among them.
 * @returns what ends it, and takes the method away again unless the program has put its own over it
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
