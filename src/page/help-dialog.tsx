import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Key } from './keys.js';
import { isHelpOpen } from './state.js';

interface HelpDialogProps<View extends string> {
  readonly keys: readonly Key<string, View>[];
  readonly views: readonly { readonly id: View; readonly title: string }[];
  /** What is said besides. */
  readonly children?: ComponentChildren;
}

/** The list of keys. */
export function HelpDialog<View extends string>({ keys, views, children }: HelpDialogProps<View>) {
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
          {keys.map(({ key, label, does, views: only }) => (
            <tr key={`${key} ${only?.join()}`}>
              <th scope="row">
                <kbd>{label}</kbd>
              </th>
              <td>
                {does}
                {only !== undefined && (
                  <span class="faint"> ({only.map((id) => views.find((one) => one.id === id)!.title).join(', ')})</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {children}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
