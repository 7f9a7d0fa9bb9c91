import { isHelpOpen } from './state.js';

/** Elements that have keys of their own. */
const TYPING = 'input, select, textarea';

/** The key of the page that was pressed; undefined: it belongs to the browser, to a field, or to the help that is open. */
export function typedKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const element = target as HTMLElement;
  const isTyping = element.matches(TYPING) && (element as HTMLInputElement).type !== 'checkbox';
  if (isTyping && !(key === 'Escape' && element.id === 'search')) return undefined;
  return isHelpOpen.value && key !== '?' && key !== 'Escape' ? undefined : key;
}
