import type { TimeRange } from '../timeline/stacks.js';
import type { TimelineRecording } from '../timeline/timeline-recording.js';
import { findVisible, timesBetween, type VisibleCalls, visibleCalls } from '../timeline/visible-calls.js';
import { rangeOf } from './choices.js';
import { colourAmong, functionColour, pixelOf, pixelOfText, type Theme } from './colours.js';
import { lossRanges } from './loss-ranges.js';
import type { Pixels } from './pixels.js';
import type { Chosen } from './state.js';
import { amountText, rulerStep, rulerText, timeText } from './time-text.js';
import type { Lane } from './timeline-layout.js';
import { isOn } from './timeline-scroll.js';

/** The height of the ruler above the stripes, CSS pixels. */
export const RULER = 22;
/** A shorter call has no name on it, CSS pixels. */
const NAMED_WIDTH = 24;
/** The width of most letters, CSS pixels. */
const LETTER = 7;
/** What stands before the title of a group. */
const FOLDED = '▸';
const UNFOLDED = '▾';
/** Lines that are drawn at most. */
const MOST_LINES = 500;

/** What a frame shows. Sizes are device pixels; `scale` is how many of them a CSS pixel has. */
export interface TimelineFrame {
  readonly recording: TimelineRecording;
  readonly lanes: readonly Lane[];
  readonly range: TimeRange;
  readonly selected: TimeRange | undefined;
  readonly chosen: Chosen | undefined;
  /** Functions that were found, drawn in full colours; undefined: there is no search. */
  readonly found: ReadonlySet<number> | undefined;
  /** CSS pixels that were scrolled. */
  readonly scroll: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly theme: Theme;
  /** The parts of what is chosen, in the order of time: lines lead from each to the next. */
  readonly flow: readonly Chosen[];
}

/** A text that is drawn when all rectangles stand. */
interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly colour: string;
  readonly isBold?: boolean;
}

/** Draws frames of the timeline, and keeps what is the same in all of them. */
export class TimelineDrawing {
  readonly #pixels: Pixels;
  #visible: VisibleCalls = visibleCalls(0);
  #colours: number[] = [];
  #pale: number[] = [];
  #isDark: boolean | undefined;
  readonly #labels: Label[] = [];

  constructor(pixels: Pixels) {
    this.#pixels = pixels;
  }

  draw(context: CanvasRenderingContext2D, frame: TimelineFrame): void {
    const { width, height, theme, lanes, scroll, scale, recording } = frame;
    if (this.#isDark !== theme.isDark) {
      this.#isDark = theme.isDark;
      this.#colours = [];
      this.#pale = [];
    }
    if (this.#visible.x.length < width + 1) this.#visible = visibleCalls(width);
    const pixels = this.#pixels;
    pixels.clear(width, height, pixelOfText(theme.background));
    this.#labels.length = 0;
    const ruler = Math.round(RULER * scale);
    for (const lane of lanes) {
      const top = ruler + Math.round((lane.y - scroll) * scale);
      const bottom = ruler + Math.round((lane.y + lane.height - scroll) * scale);
      if (bottom <= ruler) continue;
      if (top >= height) break;
      this.#lane(frame, lane, top, bottom - top);
    }
    this.#losses(frame, ruler);
    pixels.fill(0, 0, width, ruler, pixelOfText(theme.lane));
    pixels.draw(context);
    this.#writeLabels(context, frame, ruler);
    this.#flow(context, frame, ruler);
    this.#ruler(context, frame, ruler);
    this.#marks(context, frame, ruler);
    if (recording.callCount === 0 && recording.slices.count === 0 && lanes.length === 0) this.#nothing(context, frame);
  }

  #lane(frame: TimelineFrame, lane: Lane, y: number, height: number): void {
    const { theme, recording, width, scale } = frame;
    if (lane.type === 'calls') {
      this.#calls(frame, lane, y, height - 1);
      return;
    }
    if (lane.type === 'title') {
      const { track } = recording.tracks[lane.track]!;
      this.#pixels.fill(0, y, width, 1, pixelOfText(theme.line));
      const text = `${lane.isFolded ? FOLDED : UNFOLDED} ${track.name}${track.name.startsWith(track.process) ? '' : `, ${track.process}`}`;
      this.#labels.push({ text, x: 6 * scale, y, width: width - 12 * scale, colour: theme.text, isBold: true });
      return;
    }
    if (lane.type === 'note') {
      this.#labels.push({ text: lane.text, x: 6 * scale, y, width: width - 12 * scale, colour: theme.faint });
      return;
    }
    this.#pixels.fill(0, y, width, height - 1, pixelOfText(theme.lane));
    if (lane.type === 'group') {
      this.#group(frame, lane, y, height - 1);
      return;
    }
    if (lane.type === 'instants') this.#instants(frame, lane.track, y, height - 1);
    else if (lane.type === 'slices') this.#slices(frame, lane, y, height - 1);
    else this.#counter(frame, lane.counter, y, height - 1);
  }

  /** A request or a context: its whole time as a line, the stretches in which it ran as boxes, its name over them. */
  #group(frame: TimelineFrame, { group, isFolded }: Extract<Lane, { type: 'group' }>, y: number, height: number): void {
    const { range, width, theme, scale, chosen } = frame;
    const perPixel = (range.to - range.from) / width;
    const left = Math.floor((group.from - range.from) / perPixel);
    const right = Math.ceil((group.to - range.from) / perPixel);
    this.#pixels.fill(
      left,
      y + (height >> 1),
      Math.max(1, right - left),
      Math.max(1, Math.round(scale)),
      pixelOfText(theme.faint),
    );
    const visible = this.#visible;
    findVisible(group.runs, range.from, range.to, width, visible);
    const colour = pixelOf(functionColour({ name: group.title, package: '', isOwn: true }, theme.isDark));
    for (let i = 0; i < visible.count; i++) {
      const [x, w] = [visible.x[i]!, visible.width[i]!];
      this.#pixels.fill(x, y, w > 3 ? w - 1 : w, height, colour);
      if (chosen?.type === 'slice' && group.runs.functions[visible.index[i]!] === chosen.index)
        this.#frameAround(x, y, w, height, theme);
    }
    const times = `${timeText(group.time)}, ran ${timeText(group.busy)}`;
    const text = `${isFolded ? FOLDED : UNFOLDED} ${group.title}  ${times}`;
    this.#labels.push({ text, x: 6 * scale, y, width: width - 12 * scale, colour: theme.text, isBold: !isFolded });
  }

  /** Lines from each part of what is chosen to the next: there it waited. */
  #flow(context: CanvasRenderingContext2D, frame: TimelineFrame, ruler: number): void {
    const { flow, recording, range, width, height, lanes, scroll, scale, theme } = frame;
    if (flow.length < 2) return;
    const xOf = (time: number): number => ((time - range.from) / (range.to - range.from)) * width;
    const places = flow.map((one) => {
      const { from, to } = rangeOf(recording, one);
      const lane = lanes.find((each) => isOn(one, each));
      return lane && { left: xOf(from), right: xOf(to), y: ruler + (lane.y + lane.height / 2 - scroll) * scale };
    });
    context.save();
    context.beginPath();
    context.rect(0, ruler, width, height - ruler);
    context.clip();
    context.strokeStyle = theme.accent;
    context.fillStyle = theme.accent;
    context.lineWidth = 1.5 * scale;
    context.setLineDash([4 * scale, 3 * scale]);
    let drawn = 0;
    for (let i = 1; i < places.length && drawn < MOST_LINES; i++) {
      const [before, after] = [places[i - 1], places[i]];
      if (before === undefined || after === undefined || after.left < 0 || before.right > width) continue;
      drawn++;
      context.beginPath();
      context.moveTo(before.right, before.y);
      context.lineTo(after.left, after.y);
      context.stroke();
      context.fillRect(after.left - 2 * scale, after.y - 3 * scale, 4 * scale, 6 * scale);
    }
    context.restore();
  }

  #calls(frame: TimelineFrame, { row, track, indexes }: Extract<Lane, { type: 'calls' }>, y: number, height: number): void {
    const { range, width, scale, recording, theme, chosen, found } = frame;
    const visible = this.#visible;
    const pixels = this.#pixels;
    findVisible(row, range.from, range.to, width, visible);
    const isChosenRow = chosen?.type === 'call' && chosen.track === track && chosen.depth === row.depth;
    for (let i = 0; i < visible.count; i++) {
      const at = visible.index[i]!;
      const func = row.functions[at]!;
      const x = visible.x[i]!;
      const w = visible.width[i]!;
      const isFaint = found !== undefined && !found.has(func);
      // A gap of one pixel parts calls that are wide enough for it.
      pixels.fill(x, y, w > 3 ? w - 1 : w, height, this.#colour(recording, func, theme, isFaint));
      if (isChosenRow && chosen.index === (indexes?.[at] ?? at)) this.#frameAround(x, y, w, height, theme);
      if (w >= NAMED_WIDTH * scale)
        this.#labels.push({
          text: recording.functions[func]?.name ?? '',
          x: x + 4 * scale,
          y,
          width: w - 8 * scale,
          colour: theme.text,
        });
    }
  }

  #frameAround(x: number, y: number, width: number, height: number, theme: Theme): void {
    const colour = pixelOfText(theme.accent);
    const left = Math.max(0, x);
    const wide = Math.max(3, width - (left - x));
    this.#pixels.fill(left, y, wide, 2, colour);
    this.#pixels.fill(left, y + height - 2, wide, 2, colour);
    this.#pixels.fill(left, y, 2, height, colour);
    this.#pixels.fill(left + wide - 2, y, 2, height, colour);
  }

  #colour({ functions }: TimelineRecording, func: number, { isDark, lane }: Theme, isFaint: boolean): number {
    if (isFaint) return (this.#pale[0] ??= mix(pixelOfText(lane), isDark ? 0x18 : -0x12));
    return (this.#colours[func] ??= pixelOf(colourAmong(functions, func, isDark)));
  }

  #instants(frame: TimelineFrame, track: number, y: number, height: number): void {
    const { recording, range, width, theme, scale } = frame;
    const { times } = recording.tracks[track]!.instants;
    const perPixel = (range.to - range.from) / width;
    const all = times.all;
    const colour = pixelOfText(theme.faint);
    const size = Math.max(1, Math.round(scale));
    for (let [at, end] = timesBetween(all, range.from, range.to); at < end; ) {
      const x = Math.floor((all[at]! - range.from) / perPixel);
      this.#pixels.fill(x, y + 3, size, height - 6, colour);
      // Further events at this pixel are not seen.
      at = Math.max(at + 1, timesBetween(all, range.from + (x + 1) * perPixel, range.to)[0]);
    }
  }

  #slices(frame: TimelineFrame, { row, kind }: Extract<Lane, { type: 'slices' }>, y: number, height: number): void {
    const { recording, range, width, theme, scale, chosen } = frame;
    const visible = this.#visible;
    findVisible(row, range.from, range.to, width, visible);
    const name = recording.sliceKinds[kind]?.name ?? '';
    const colour = pixelOf(functionColour({ name: `slice ${name}`, package: '', isOwn: true }, theme.isDark));
    for (let i = 0; i < visible.count; i++) {
      const index = row.functions[visible.index[i]!]!;
      const x = visible.x[i]!;
      const w = visible.width[i]!;
      this.#pixels.fill(x, y, w > 3 ? w - 1 : w, height, colour);
      if (chosen?.type === 'slice' && chosen.index === index) this.#frameAround(x, y, w, height, theme);
      if (w < NAMED_WIDTH * scale) continue;
      const { title } = recording.slice(index);
      this.#labels.push({ text: `${name}: ${title}`, x: x + 4 * scale, y, width: w - 8 * scale, colour: theme.text });
    }
  }

  #counter(frame: TimelineFrame, counter: number, y: number, height: number): void {
    const { recording, range, width, theme, scale } = frame;
    const { times, values } = recording.counters[counter]!;
    const { name, unit } = recording.counterKinds[counter]!;
    const [first, end] = timesBetween(times.all, range.from, range.to);
    const from = Math.max(0, first - 1);
    const shown = values.all.subarray(from, end);
    const most = shown.reduce((a, b) => Math.max(a, b), 0);
    const perPixel = (range.to - range.from) / width;
    const colour = pixelOf(functionColour({ name, package: '', isOwn: true }, theme.isDark));
    for (let at = from; at < end; at++) {
      const x = Math.max(0, Math.floor((times.at(at) - range.from) / perPixel));
      const next = at + 1 < times.count ? Math.floor((times.at(at + 1) - range.from) / perPixel) : width;
      const tall = most === 0 ? 0 : Math.round((values.at(at) / most) * (height - 2));
      this.#pixels.fill(x, y + height - Math.max(1, tall), Math.max(1, next - x), Math.max(1, tall), colour);
    }
    const text = `${name}: up to ${amountText(most, unit)}`;
    this.#labels.push({ text, x: 6 * scale, y, width: width - 12 * scale, colour: theme.text });
  }

  #losses(frame: TimelineFrame, ruler: number): void {
    const { recording, range, width, height, lanes, scroll, scale, theme } = frame;
    const perPixel = (range.to - range.from) / width;
    const colour = pixelOfText(theme.lost);
    for (const { track, from, to } of lossRanges(recording)) {
      if (to < range.from || from > range.to) continue;
      const own = lanes.filter((lane) => 'track' in lane && lane.track === track && lane.type !== 'title');
      if (own.length === 0) continue;
      const last = own.at(-1)!;
      const top = Math.max(ruler, ruler + Math.round((own[0]!.y - scroll) * scale));
      const bottom = Math.min(height, ruler + Math.round((last.y + last.height - scroll) * scale));
      const x = Math.max(0, Math.floor((from - range.from) / perPixel));
      const right = Math.max(x + 2, Math.min(width, Math.floor((to - range.from) / perPixel)));
      // Stripes: what was recorded shows through.
      for (let y = top; y < bottom; y++)
        for (let at = x + ((8 - ((x + y) % 8)) % 8); at < right; at += 8) this.#pixels.fill(at, y, 2, 1, colour);
    }
  }

  #writeLabels(context: CanvasRenderingContext2D, { scale, height, scroll: _ }: TimelineFrame, ruler: number): void {
    context.save();
    context.beginPath();
    context.rect(0, ruler, context.canvas.width, height - ruler);
    context.clip();
    context.textBaseline = 'top';
    let isBold: boolean | undefined;
    for (const { text, x, y, width, colour, ...label } of this.#labels) {
      if (isBold !== (label.isBold ?? false)) {
        isBold = label.isBold ?? false;
        context.font = `${isBold ? '600 ' : ''}${12 * scale}px system-ui, sans-serif`;
      }
      context.fillStyle = colour;
      context.fillText(cut(text, width, LETTER * scale), x, y + 3 * scale);
    }
    context.restore();
  }

  #ruler(context: CanvasRenderingContext2D, frame: TimelineFrame, height: number): void {
    const { range, width, scale, theme, recording, selected } = frame;
    const length = range.to - range.from;
    const step = rulerStep(length, Math.max(2, width / (110 * scale)));
    const origin = recording.from === Infinity ? 0 : recording.from;
    context.font = `${11 * scale}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    context.fillStyle = theme.faint;
    const first = Math.ceil((range.from - origin) / step);
    for (let i = first; origin + i * step <= range.to; i++) {
      const x = Math.round(((origin + i * step - range.from) / length) * width);
      context.fillRect(x, height - 5 * scale, 1, 5 * scale);
      context.fillText(rulerText(i * step, step), x + 3 * scale, height / 2);
    }
    if (selected === undefined) return;
    const left = ((selected.from - range.from) / length) * width;
    const right = ((selected.to - range.from) / length) * width;
    context.fillStyle = theme.accent;
    context.fillRect(left, height - 3 * scale, Math.max(1, right - left), 3 * scale);
    context.globalAlpha = 0.12;
    context.fillRect(left, height, Math.max(1, right - left), frame.height);
    context.globalAlpha = 1;
  }

  #marks(context: CanvasRenderingContext2D, frame: TimelineFrame, ruler: number): void {
    const { recording, range, width, height, theme, scale, chosen } = frame;
    const length = range.to - range.from;
    context.font = `${11 * scale}px system-ui, sans-serif`;
    context.textBaseline = 'top';
    let free = -Infinity;
    for (const [index, { time, text }] of recording.marks.entries()) {
      if (time < range.from || time > range.to) continue;
      const x = Math.round(((time - range.from) / length) * width);
      context.fillStyle = chosen?.type === 'mark' && chosen.index === index ? theme.accent : theme.mark;
      context.fillRect(x, ruler, Math.max(1, scale), height);
      if (x < free) continue;
      const shown = cut(text, 160 * scale, 6 * scale);
      context.fillText(shown, x + 3 * scale, ruler + 1);
      free = x + (8 + shown.length * 6) * scale;
    }
  }

  #nothing(context: CanvasRenderingContext2D, { theme, scale, width, height }: TimelineFrame): void {
    context.font = `${14 * scale}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    context.fillStyle = theme.faint;
    context.fillText('There is no call and no event yet.', Math.min(20 * scale, width / 4), height / 2);
  }
}

/** A text cut to a width, by the width that letters have in the mean: to measure each would cost more than the frame has. */
function cut(text: string, width: number, letter: number): string {
  const most = Math.floor(width / letter);
  return text.length <= most ? text : most <= 1 ? '' : `${text.slice(0, most - 1)}…`;
}

/** A grey pixel made lighter or darker. */
function mix(pixel: number, by: number): number {
  const part = (shift: number): number => Math.max(0, Math.min(255, ((pixel >>> shift) & 255) + by));
  return pixelOf([part(0), part(8), part(16)]);
}
