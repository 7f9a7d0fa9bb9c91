import { computed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { GROUPINGS, type Grouping } from '../timeline/context-groups.js';
import { timesBetween } from '../timeline/visible-calls.js';
import { choose, fit, groupBy, move, showRange, toggle, zoom } from './actions.js';
import { DetailsPanel } from './details-panel.js';
import { contextGroups, flowOf, groupings, groupWords } from './groups.js';
import { Minimap } from './minimap.js';
import { Pixels } from './pixels.js';
import {
  type Chosen,
  chosen,
  found,
  grouping,
  recording,
  revision,
  selectedRange,
  toggledGroups,
  visibleRange,
} from './state.js';
import { RULER, TimelineDrawing } from './timeline-drawing.js';
import { laneAt, layOut, trackKey } from './timeline-layout.js';
import { timelineScroll } from './timeline-scroll.js';
import { useCanvas } from './use-canvas.js';

/** Pixels that a pointer moves at least for a drag. */
const DRAG = 4;
/** Pixels beside a thing that still hit it. */
const NEAR = 3;
/** A click so far left at a group's title folds or unfolds it. */
const FOLD = 24;

/** The stripes of what has come so far. */
const layout = computed(() => {
  revision.value;
  return layOut(recording.value!, { groups: contextGroups.value, toggled: toggledGroups.value, words: groupWords.value });
});

/** The timeline: a canvas, the minimap above it, and what is chosen in words below it. */
export function TimelineView() {
  const drawing = useRef<TimelineDrawing>(undefined);
  drawing.current ??= new TimelineDrawing(new Pixels());
  const canvas = useCanvas(
    () => ({
      recording: recording.value!,
      revision: revision.value,
      range: visibleRange.value,
      selected: selectedRange.value,
      chosen: chosen.value,
      found: found.value,
      scroll: timelineScroll.top.value,
      layout: layout.value,
      flow: flowOf.value,
    }),
    ({ context, width, height, scale, theme }, now) => {
      const { lanes, height: whole } = now.layout;
      timelineScroll.laidOut(lanes, whole, height / scale - RULER);
      const functions = now.found === undefined || now.found.functions.size === 0 ? undefined : now.found.functions;
      drawing.current!.draw(context, { ...now, found: functions, lanes, width, height, scale, theme });
    },
  );
  return (
    <section class="timeline" aria-label="Timeline">
      <Minimap />
      <GroupingBar />
      <div class="drawing" role="application">
        <canvas
          ref={canvas}
          id="timeline"
          tabIndex={0}
          aria-label="Calls by thread, depth and time. Arrow keys choose calls, Enter shows the source; what is chosen is said below."
          onPointerDown={startDrag}
          onWheel={wheel}
          onDblClick={() => chosen.value !== undefined && fit(chosen.value)}
        />
      </div>
      <DetailsPanel />
    </section>
  );
}

const GROUPING_TITLES: Readonly<Record<Grouping, string>> = {
  thread: 'by thread',
  request: 'by request',
  context: 'by async context',
};

/** What calls are grouped by, where the recording knows more than threads. */
function GroupingBar() {
  if (groupings.value.length < 2) return null;
  return (
    <p class="bar grouping">
      <label>
        <kbd>g</kbd> Group{' '}
        <select value={grouping.value} onChange={({ currentTarget }) => groupBy(currentTarget.value as Grouping)}>
          {GROUPINGS.filter((one) => groupings.value.includes(one)).map((one) => (
            <option key={one} value={one}>
              {GROUPING_TITLES[one]}
            </option>
          ))}
        </select>
      </label>{' '}
      {grouping.value !== 'thread' && (
        <span class="faint">Up and down go from one to the next, z unfolds one, r goes to where it runs next.</span>
      )}
    </p>
  );
}

function wheel(event: WheelEvent): void {
  event.preventDefault();
  const { clientWidth } = event.currentTarget as HTMLCanvasElement;
  if (event.ctrlKey || event.metaKey) zoom(Math.exp(event.deltaY / 300), event.offsetX / clientWidth);
  else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) move((event.deltaX || event.deltaY) / clientWidth);
  else timelineScroll.to(timelineScroll.top.value + event.deltaY);
}

/** A drag moves the time; on the ruler, or with Shift, it selects a part of it. A click chooses what is there. */
function startDrag(event: PointerEvent): void {
  const canvas = event.currentTarget as HTMLCanvasElement;
  const { clientWidth: width } = canvas;
  const { offsetX: startX, offsetY: startY, clientX, clientY } = event;
  const range = visibleRange.value;
  const perPixel = (range.to - range.from) / width;
  const top = timelineScroll.top.value;
  const isSelecting = event.shiftKey || startY < RULER;
  let isDrag = false;
  canvas.setPointerCapture(event.pointerId);
  canvas.onpointermove = (moved) => {
    const [dx, dy] = [moved.clientX - clientX, moved.clientY - clientY];
    isDrag ||= Math.abs(dx) > DRAG || Math.abs(dy) > DRAG;
    if (!isDrag) return;
    if (isSelecting) {
      const [a, b] = [startX, startX + dx].map((x) => range.from + Math.min(width, Math.max(0, x)) * perPixel) as [
        number,
        number,
      ];
      selectedRange.value = { from: Math.min(a, b), to: Math.max(a, b) };
    } else {
      showRange({ from: range.from - dx * perPixel, to: range.to - dx * perPixel });
      timelineScroll.to(top - dy);
    }
  };
  canvas.onpointerup = () => {
    canvas.onpointermove = null;
    canvas.onpointerup = null;
    if (isDrag) return;
    const lane = laneAt(timelineScroll.lanes, startY - RULER + timelineScroll.top.value);
    if ((lane?.type === 'title' || lane?.type === 'group') && startX < FOLD) {
      toggle(lane.type === 'title' ? trackKey(lane.track) : lane.group.key);
      return;
    }
    const hit = thingAt(startX, startY, width);
    if (hit !== undefined) choose(hit);
  };
}

/** What is drawn at a place of the canvas, in CSS pixels. */
function thingAt(x: number, y: number, width: number): Chosen | undefined {
  const all = recording.value!;
  const { from, to } = visibleRange.value;
  const perPixel = (to - from) / width;
  const time = from + x * perPixel;
  const near = NEAR * perPixel;
  const mark = all.marks.findIndex((one) => Math.abs(one.time - time) <= near);
  const lane = laneAt(timelineScroll.lanes, y - RULER + timelineScroll.top.value);
  if (lane?.type === 'calls') {
    const index = lane.row.firstEndingAfter(time - near);
    if (index < lane.row.count && lane.row.starts[index]! <= time + near)
      return { type: 'call', track: lane.track, depth: lane.row.depth, index: lane.indexes?.[index] ?? index };
  } else if (lane?.type === 'slices' || lane?.type === 'group') {
    const row = lane.type === 'group' ? lane.group.runs : lane.row;
    const index = row.firstEndingAfter(time - near);
    if (index < row.count && row.starts[index]! <= time + near) return { type: 'slice', index: row.functions[index]! };
  } else if (lane?.type === 'instants') {
    const [index, end] = timesBetween(all.tracks[lane.track]!.instants.times.all, time - near, time + near);
    if (index < end) return { type: 'instant', track: lane.track, index };
  }
  return mark < 0 ? undefined : { type: 'mark', index: mark };
}
