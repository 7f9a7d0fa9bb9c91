import { signal } from '@preact/signals';
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

  /** Scrolls so that a thing is seen. */
  reveal(one: Chosen): void {
    const lane = this.lanes.find((each) => isOn(one, each));
    if (lane === undefined || this.room <= 0) return;
    const top = this.top.value;
    if (lane.y < top) this.to(lane.y - lane.height * 2);
    else if (lane.y + lane.height > top + this.room) this.to(lane.y + lane.height * 3 - this.room);
  }
}

function isOn(one: Chosen, lane: Lane): boolean {
  if (one.type === 'call') return lane.type === 'calls' && lane.track === one.track && lane.row.depth === one.depth;
  if (one.type === 'slice') return lane.type === 'slices' && lane.row.functions.subarray(0, lane.row.count).includes(one.index);
  return one.type === 'instant' && lane.type === 'instants' && lane.track === one.track;
}

/** The scrolling of the timeline. */
export const timelineScroll = new TimelineScroll();
