/** A promise, and what resolves it. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** A new promise with what resolves it: Promise.withResolvers, which Node 20 has not. */
export function deferred(): Deferred {
  let resolve: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: resolve! };
}
