/** Refused: the value in the place of what cannot be had, with a sentence that says why. What throws is a `TraceError`. */
export class Refused {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** Whether a value is a refusal. */
export const isRefused = (value: unknown): value is Refused => value instanceof Refused;
