import { effect, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Theme, themeOf } from './colours.js';

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const isDark = signal(dark.matches);
dark.addEventListener('change', () => {
  isDark.value = dark.matches;
});

/** What a drawing has room for: sizes in device pixels, and how many of them a CSS pixel has. */
export interface CanvasRoom {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly theme: Theme;
}

/**
 * A canvas that is drawn anew when a signal that its inputs read changes, or its size, or the scheme: with the next frame,
 * however often they change before.
 * @param inputs reads what is drawn from signals
 * @param draw draws it; it reads no signals
 */
export function useCanvas<Inputs>(
  inputs: () => Inputs,
  draw: (room: CanvasRoom, inputs: Inputs) => void,
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => {
    const element = canvas.current!;
    const context = element.getContext('2d', { alpha: false })!;
    const size = signal({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    observer.observe(element);
    let frame = 0;
    const stop = effect(() => {
      const now = inputs();
      const { width: cssWidth, height: cssHeight } = size.value;
      const theme = themeOf(isDark.value);
      cancelAnimationFrame(frame);
      // A canvas that is taken out of the page has no size: what is known of its room stays for the next one.
      if (cssWidth === 0 || cssHeight === 0) return;
      frame = requestAnimationFrame(() => {
        const scale = window.devicePixelRatio || 1;
        const width = Math.max(1, Math.round(cssWidth * scale));
        const height = Math.max(1, Math.round(cssHeight * scale));
        if (element.width !== width) element.width = width;
        if (element.height !== height) element.height = height;
        latest.current({ context, width, height, scale, theme }, now);
      });
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);
  return canvas;
}
