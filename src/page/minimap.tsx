import { useRef } from 'preact/hooks';
import type { TimelineRecording } from '../timeline/timeline-recording.js';
import { showRange } from './actions.js';
import { lossRanges } from './loss-ranges.js';
import { recording, revision, selectedRange, visibleRange, wholeRange } from './state.js';
import { useCanvas } from './use-canvas.js';

/** How deep the calls are at each pixel, of the deepest thread. */
function depths({ tracks, from, to }: TimelineRecording, width: number): Uint16Array {
  const deepest = new Uint16Array(width);
  const perPixel = (to - from) / width;
  for (const { rows } of tracks) {
    for (const row of rows) {
      let at = 0;
      for (let x = 0; x < width && at < row.count; x++) {
        at = row.firstEndingAfter(from + x * perPixel, at);
        if (at < row.count && row.starts[at]! < from + (x + 1) * perPixel) deepest[x] = Math.max(deepest[x]!, row.depth + 1);
      }
    }
  }
  return deepest;
}

/** The whole recording, with a frame around what the timeline shows. */
export function Minimap() {
  const known = useRef<{ revision: number; width: number; depths: Uint16Array }>(undefined);
  const canvas = useCanvas(
    () => ({
      recording: recording.value!,
      revision: revision.value,
      whole: wholeRange.value,
      range: visibleRange.value,
      selected: selectedRange.value,
    }),
    ({ context, width, height, theme }, now) => {
      if (known.current?.revision !== now.revision || known.current.width !== width)
        known.current = { revision: now.revision, width, depths: depths(now.recording, width) };
      const { depths: deepest } = known.current;
      const most = deepest.reduce((a, b) => Math.max(a, b), 1);
      const { from, to } = now.whole;
      const pixelOf = (time: number): number => ((time - from) / (to - from)) * width;
      context.fillStyle = theme.lane;
      context.fillRect(0, 0, width, height);
      context.fillStyle = theme.faint;
      for (let x = 0; x < width; x++) {
        const tall = (deepest[x]! / most) * (height - 2);
        if (tall > 0) context.fillRect(x, height - tall, 1, tall);
      }
      context.fillStyle = theme.lost;
      for (const lost of lossRanges(now.recording))
        context.fillRect(pixelOf(lost.from), 0, Math.max(1, pixelOf(lost.to) - pixelOf(lost.from)), 3);
      context.fillStyle = theme.mark;
      for (const { time } of now.recording.marks) context.fillRect(pixelOf(time), 0, 1, 3);
      context.fillStyle = theme.accent;
      if (now.selected !== undefined)
        context.fillRect(
          pixelOf(now.selected.from),
          height - 3,
          Math.max(2, pixelOf(now.selected.to) - pixelOf(now.selected.from)),
          3,
        );
      context.strokeStyle = theme.accent;
      context.lineWidth = 2;
      const left = pixelOf(now.range.from);
      context.strokeRect(left + 1, 1, Math.max(3, pixelOf(now.range.to) - left - 2), height - 2);
    },
  );
  return <canvas ref={canvas} class="minimap" onPointerDown={startMove} />;
}

/** What is clicked at is shown, as far as the pointer goes. */
function startMove(event: PointerEvent): void {
  const canvas = event.currentTarget as HTMLCanvasElement;
  const show = ({ offsetX }: PointerEvent): void => {
    const whole = wholeRange.value;
    const { from, to } = visibleRange.value;
    const middle = whole.from + (offsetX / canvas.clientWidth) * (whole.to - whole.from);
    showRange({ from: middle - (to - from) / 2, to: middle + (to - from) / 2 });
  };
  canvas.setPointerCapture(event.pointerId);
  canvas.onpointermove = show;
  canvas.onpointerup = () => {
    canvas.onpointermove = null;
    canvas.onpointerup = null;
  };
  show(event);
}
