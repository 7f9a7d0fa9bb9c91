import type { ChangeState, TextChange } from './text-changes.js';
import type { Looked, TransitionLook } from './transition-look.js';

/** What the process that stops another one is asked: `node native-stop.cjs`, as JSON on its stdin. */
export interface StopRequest {
  readonly pid: number;
  readonly changes: readonly {
    readonly address: number;
    /** Hexadecimal. */
    readonly bytes: string;
    readonly from: readonly string[];
    readonly isMoved?: true;
  }[];
  readonly looks: readonly TransitionLook[];
}

/** The stopper's answer, as JSON on its stdout. */
export interface StopAnswer {
  readonly errno?: string;
  readonly message?: string;
  readonly changes?: readonly ChangeState[];
  /** Results of each look. */
  readonly looked?: readonly Looked[];
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const stopRequest = (pid: number, changes: readonly TextChange[], looks: readonly TransitionLook[] = []): StopRequest => ({
  ...{ pid, looks },
  changes: changes.map(({ address, bytes, from, isMoved }) => ({
    address,
    bytes: hex(bytes),
    from: from.map(hex),
    ...(isMoved && { isMoved }),
  })),
});

export const requestedChanges = ({ changes }: StopRequest): readonly TextChange[] =>
  changes.map(({ address, bytes, from, isMoved }) => ({
    ...(isMoved && { isMoved }),
    address,
    bytes: Buffer.from(bytes, 'hex'),
    from: from.map((one) => Buffer.from(one, 'hex')),
  }));
