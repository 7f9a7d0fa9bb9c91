import { useRef } from 'preact/hooks';
import type { TimelineRecording } from '../timeline/timeline-recording.js';
import { timesBetween } from '../timeline/visible-calls.js';
import { choose, fit, move, showRange, zoom } from './actions.js';
import { DetailsPanel } from './details-panel.js';
import { Minimap } from './minimap.js';
import { Pixels } from './pixels.js';
import { type Chosen, chosen, found, recording, revision, selectedRange, visibleRange } from './state.js';
import { RULER, TimelineDrawing } from './timeline-drawing.js';
import { type Lane, laneAt, layOut } from './timeline-layout.js';
import { timelineScroll } from './timeline-scroll.js';
import { useCanvas } from './use-canvas.js';

/** Pixels that a pointer moves at least for a drag. */
const DRAG = 4;
/** Pixels beside a thing that still hit it. */
const NEAR = 3;

let layout: { readonly lanes: readonly Lane[]; readonly height: number } = { lanes: [], height: 0 };
let laidOut = -1;

/** The stripes of what has come so far. */
function layoutOf(all: TimelineRecording, at: number): typeof layout {
  if (laidOut !== at) {
    layout = layOut(all);
    laidOut = at;
  }
  return layout;
}

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
    }),
    ({ context, width, height, scale, theme }, now) => {
      const { lanes, height: whole } = layoutOf(now.recording, now.revision);
      timelineScroll.lanes = lanes;
      timelineScroll.height = whole;
      timelineScroll.room = height / scale - RULER;
      const functions = now.found === undefined || now.found.functions.size === 0 ? undefined : now.found.functions;
      drawing.current!.draw(context, { ...now, found: functions, lanes, width, height, scale, theme });
    },
  );
  return (
    <section class="timeline" aria-label="Timeline">
      <Minimap />
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
      return { type: 'call', track: lane.track, depth: lane.row.depth, index };
  } else if (lane?.type === 'slices') {
    const { row } = lane;
    const index = row.firstEndingAfter(time - near);
    if (index < row.count && row.starts[index]! <= time + near) return { type: 'slice', index: row.functions[index]! };
  } else if (lane?.type === 'instants') {
    const [index, end] = timesBetween(all.tracks[lane.track]!.instants.times.all, time - near, time + near);
    if (index < end) return { type: 'instant', track: lane.track, index };
  }
  return mark < 0 ? undefined : { type: 'mark', index: mark };
}
