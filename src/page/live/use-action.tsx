import { useState } from 'preact/hooks';
import { visible } from '../../base/visible.js';
import { EndedError } from './live-server.js';
import { hasEnded } from './live-state.js';

/** Something that a control does, and what came of it. */
export interface Action {
  readonly isBusy: boolean;
  /** Why it was refused; '' if it was not. */
  readonly refusal: string;
  run(work: () => Promise<void>): Promise<void>;
}

/** What a control does: only once at a time, and a refusal is kept for it. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  return {
    isBusy,
    refusal,
    async run(work) {
      if (isBusy) return;
      setBusy(true);
      setRefusal('');
      try {
        await work();
      } catch (error) {
        if (error instanceof EndedError) hasEnded.value = true;
        setRefusal((error as Error).message);
      }
      setBusy(false);
    },
  };
}

/** Why a control's action was refused, below it: the words of the file, and where its error_log marks the text. */
export function Refusal({ of: { refusal } }: { readonly of: Action }) {
  return refusal === '' ? null : (
    <pre role="alert" class="refusal">
      {visible(refusal)}
    </pre>
  );
}
