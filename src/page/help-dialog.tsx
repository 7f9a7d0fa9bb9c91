import { useLayoutEffect, useRef } from 'preact/hooks';
import { KEYS } from './keys.js';
import { isHelpOpen } from './state.js';
import { VIEWS } from './views.js';

/** The list of keys. */
export function HelpDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isHelpOpen.value]);
  return (
    <dialog ref={dialog} id="help" aria-label="Keys" onClose={() => (isHelpOpen.value = false)}>
      <h2>Keys</h2>
      <table>
        <tbody>
          {KEYS.map(({ key, label, does, views }) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{label}</kbd>
              </th>
              <td>
                {does}
                {views !== undefined && (
                  <span class="faint"> ({views.map((id) => VIEWS.find((one) => one.id === id)!.title).join(', ')})</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        The pointer: a drag moves the timeline, on the ruler or with Shift it selects a part of the time; the wheel scrolls, with
        Ctrl it zooms, with Shift it moves.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
