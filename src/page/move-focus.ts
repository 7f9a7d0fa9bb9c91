/** Moves the focus to the next row of a list, or the one before; false if the view has no list. */
export function moveFocus(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  if (rows.length === 0) return false;
  const now = rows.indexOf(document.activeElement as HTMLElement);
  const next = now < 0 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, now + step));
  rows[next]!.focus();
  return true;
}
