import type { Frame, Place } from '../../answers/place.js';
import { nameText, placeText } from '../../answers/place-text.js';
import { showSource } from './live-actions.js';
import { folder } from './live-state.js';

/** A place that leads to the source, where there is one to show. */
export function PlaceLink({ place }: { readonly place: Place }) {
  const text = placeText(place, { folder: folder.value });
  if (!place.file.startsWith('/')) return <span class="faint">{text}</span>;
  return (
    <button type="button" class="link" data-row onClick={() => showSource(place)}>
      {text}
    </button>
  );
}

/** A function with its place. */
export function FrameText({ frame }: { readonly frame: Frame }) {
  return (
    <>
      <span class={frame.isOwn ? 'own' : 'faint'}>{nameText(frame)}</span>{' '}
      {frame.place !== undefined && <PlaceLink place={frame.place} />}
    </>
  );
}
