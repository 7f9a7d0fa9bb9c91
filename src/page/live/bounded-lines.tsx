import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { visible } from '../../base/visible.js';
import { countText } from '../time-text.js';
import { EMPTY_LOG, withLines } from './bounded-log.js';
import { checkEnded } from './live-actions.js';
import { EndedError } from './live-server.js';
import { hasEnded, isPaused, pid } from './live-state.js';

/** Lines that are kept, and milliseconds between two drawings of them. */
const MOST = 500;
const DRAWN = 200;

interface BoundedLinesProps {
  readonly title: string;
  /** What is said while there is none. */
  readonly words: string;
  /** Why they are not followed. Absent: they are. */
  readonly refused?: string | undefined;
  follow(take: (lines: readonly string[]) => void, stop: AbortSignal): Promise<void>;
}

/** Lines as they come, the newest first; only the last ones are kept. They come as long as this is shown. */
export function BoundedLines({ title, words, follow, refused }: BoundedLinesProps) {
  const log = useSignal(EMPTY_LOG);
  const refusal = useSignal('');
  const isOn = refused === undefined && !isPaused.value && !hasEnded.value;
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    let come: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      log.value = withLines(log.value, come, MOST);
      come = [];
    };
    const take = (lines: readonly string[]): void => {
      for (const line of lines) come.push(line);
      timer ??= setTimeout(draw, DRAWN);
    };
    refusal.value = '';
    const ended = async (): Promise<void> => {
      if (stop.signal.aborted) return;
      await checkEnded(pid.value!);
      if (!hasEnded.value) refusal.value = 'no more lines come: p, twice, begins again';
    };
    const failed = (error: Error): void => {
      if (stop.signal.aborted) return;
      if (error instanceof EndedError) hasEnded.value = true;
      else refusal.value = error.message;
    };
    follow(take, stop.signal).then(ended, failed);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [isOn, pid.value]);
  const { lines, dropped } = log.value;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p class="bar">
        <button type="button" data-action="clear" onClick={() => (log.value = EMPTY_LOG)}>
          Empty the list <kbd>c</kbd>
        </button>{' '}
        <span class="faint">
          {dropped > 0 && `${countText(dropped)} older lines are not kept. `}
          {isPaused.value && 'Paused: p goes on.'}
        </span>
      </p>
      {refused !== undefined && <p>{refused}</p>}
      {refusal.value !== '' && (
        <pre role="alert" class="refusal">
          {visible(refusal.value)}
        </pre>
      )}
      {lines.length === 0 && refused === undefined && <p class="faint">{words}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre class="log" role="log" aria-live="off" aria-label={title} tabIndex={0}>
        {visible([...lines].reverse().join('\n'))}
      </pre>
    </section>
  );
}
