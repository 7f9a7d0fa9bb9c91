import { useRef, useState } from 'preact/hooks';
import { visible } from '../../base/visible.js';
import { EndedError } from './live-server.js';
import { hasEnded } from './live-state.js';

type Work = () => Promise<void>;

/** Something that a control does, and what came of it. */
export interface Action {
  readonly isBusy: boolean;
  /** Why it was refused; '' if it was not. */
  readonly refusal: string;
  /** Does it, unless it is being done. */
  run(work: Work): Promise<void>;
  /** Does it, and if it is being done, once more behind that: what is read may have changed meanwhile. */
  read(work: Work): Promise<void>;
}

/** What a control does: only once at a time, and a refusal is kept for it. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const state = useRef<{ isBusy: boolean; next: Work | undefined }>({ isBusy: false, next: undefined }).current;
  const run = async (work: Work): Promise<void> => {
    if (state.isBusy) return;
    state.isBusy = true;
    setBusy(true);
    setRefusal('');
    for (let next: Work | undefined = work; next !== undefined; next = state.next) {
      state.next = undefined;
      try {
        await next();
      } catch (error) {
        if (error instanceof EndedError) hasEnded.value = true;
        setRefusal((error as Error).message);
      }
    }
    state.isBusy = false;
    setBusy(false);
  };
  const read = async (work: Work): Promise<void> => {
    if (state.isBusy) state.next = work;
    else await run(work);
  };
  return { isBusy, refusal, run, read };
}

/** Why a control's action was refused, below it: the words of the file, and where its error_log marks the text. */
export function Refusal({ of: { refusal } }: { readonly of: Action }) {
  return refusal === '' ? null : (
    <pre role="alert" class="refusal">
      {visible(refusal)}
    </pre>
  );
}
