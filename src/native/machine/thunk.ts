import type { NativeSite } from '../text/site.js';
import type { Label } from './operands.js';

/**
 * Where the caller's address is when a thunk calls a trampoline: where a site has called its thunk, or jumped there; or in the
 * frame that the function has built.
 */
export const PARENT_PLACES = ['behind a call', 'behind a jump', 'in the frame'] as const;
export type ParentPlace = (typeof PARENT_PLACES)[number];

/**
 * Where the return address is that a call is followed by: at the place above the function's number, or in the frame that it has
 * built.
 */
export const SLOT_PLACES = ['on the stack', 'in the frame'] as const;
export type SlotPlace = (typeof SLOT_PLACES)[number];

/** What the site of a function must do to be traced, and where its code is. */
export interface Thunk {
  readonly address: number;
  readonly use: 'call' | 'jump';
}

/** What thunks call or jump to. */
export interface ThunkEntries {
  readonly functionEntry: Readonly<Record<ParentPlace, number>>;
  readonly graphEntry: Readonly<Record<SlotPlace, number>>;
  readonly graphExit: number;
  /** What thunks of functions with operations call. */
  readonly listEntry: Readonly<Record<ParentPlace, number>>;
}

/** A function that gets a thunk: its number, its site, and where it goes on. */
export interface ThunkFunction {
  readonly n: number;
  readonly site: Pick<NativeSite, 'form' | 'returnSlot' | 'frame' | 'resume' | 'body'>;
  readonly goesOn: Label | number;
}
