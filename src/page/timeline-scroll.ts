import { signal } from '@preact/signals';
import { lastAtOrBefore } from '../base/last-at-or-before.js';
import { groupOf } from './groups.js';
import type { Chosen } from './state.js';
import type { Lane } from './timeline-layout.js';

/** How far the stripes of the timeline are scrolled, in CSS pixels, and what is known of them. */
class TimelineScroll {
  readonly top = signal(0);
  lanes: readonly Lane[] = [];
  height = 0;
  /** Pixels that the stripes have room in. */
  room = 0;

  /** Scrolls by a part of the room. */
  by(part: number): void {
    this.to(this.top.value + part * this.room);
  }

  to(top: number): void {
    this.top.value = Math.round(Math.max(0, Math.min(top, this.height - this.room)));
  }

  /** What is to be seen once the stripes are laid out anew. */
  #awaited: Chosen | undefined;

  /** Scrolls so that a thing is seen, now or when the next stripes are drawn. */
  reveal(one: Chosen): void {
    this.#awaited = one;
    this.#show(one);
  }

  /** The stripes were laid out. */
  laidOut(lanes: readonly Lane[], height: number, room: number): void {
    const isNew = this.lanes !== lanes;
    this.lanes = lanes;
    this.height = height;
    this.room = room;
    if (isNew && this.#awaited !== undefined) this.#show(this.#awaited);
    this.#awaited = undefined;
  }

  #show(one: Chosen): void {
    const lane = this.lanes.find((each) => isOn(one, each));
    if (lane === undefined || this.room <= 0) return;
    const top = this.top.value;
    if (lane.y < top) this.to(lane.y - lane.height * 2);
    else if (lane.y + lane.height > top + this.room) this.to(lane.y + lane.height * 3 - this.room);
  }
}

/** Whether a thing is drawn on a stripe. */
export function isOn(one: Chosen, lane: Lane): boolean {
  if (one.type === 'call')
    return lane.type === 'calls' && lane.track === one.track && lane.row.depth === one.depth && hasCall(lane, one.index);
  if (one.type === 'slice' && lane.type === 'group') return groupOf(one) === lane.group;
  if (one.type === 'slice') return lane.type === 'slices' && lane.row.functions.subarray(0, lane.row.count).includes(one.index);
  return one.type === 'instant' && lane.type === 'instants' && lane.track === one.track;
}

const hasCall = ({ indexes }: Extract<Lane, { type: 'calls' }>, index: number): boolean =>
  indexes === undefined || indexes[lastAtOrBefore(indexes, index)] === index;

/** The scrolling of the timeline. */
export const timelineScroll = new TimelineScroll();
