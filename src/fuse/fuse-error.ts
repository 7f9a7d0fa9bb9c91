import { asTraceError, ERRNO } from '../base/errno.js';

/** An errno that the kernel's VFS knows, and tracefs never answers. */
export const ENOTTY = 25;

/** Refuses a request with the number of an errno. */
export class FuseError extends Error {
  readonly number: number;
  constructor(number: number) {
    super(`errno ${number}`);
    this.number = number;
  }
}

/** The number to answer with. */
export const errnoOf = (thrown: unknown): number =>
  thrown instanceof FuseError ? thrown.number : ERRNO[asTraceError(thrown).errno][0];
