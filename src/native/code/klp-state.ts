/**
 * The word of 64 bits that says which code the functions of a live patch run (klp_target_state): their own, or what replaces
 * them; for all threads, or the address of a ThreadList.
 */
export const KLP = { UNPATCHED: 0, PATCHED: 1 } as const;
export type KlpState = (typeof KLP)[keyof typeof KLP];

/** The threads that have not gone over yet: those listed have one state, all others have the other one. */
export interface ThreadList {
  readonly state: KlpState;
  /** Ids of threads, as the process knows them. */
  readonly tids: readonly number[];
}

/** A list as the handler reads it: the state, the ids, 0; words of 32 bits. */
export const threadListBytes = ({ state, tids }: ThreadList): Uint8Array =>
  new Uint8Array(Uint32Array.of(state, ...tids, 0).buffer);
