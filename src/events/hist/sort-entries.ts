/** Compares two: negative, 0 or positive. */
export type Compare<T> = (a: T, b: T) => number;

/** The parent of a node of a heap. */
const parentOf = (node: number): number => (node - 1) >> 1;

/**
 * Sorts in place by the kernel's heap sort (lib/sort.c), whose order of equal elements is part of what a `hist` file shows: from
 * the root go down along the greater children to a leaf, then up to where the root's element belongs.
 */
export function heapSort<T>(elements: T[], compare: Compare<T>): void {
  for (let root = (elements.length >> 1) - 1; root >= 0; root--) siftDown(elements, root, elements.length, compare);
  for (let end = elements.length - 1; end > 0; end--) {
    swap(elements, 0, end);
    siftDown(elements, 0, end, compare);
  }
}

function swap<T>(elements: T[], a: number, b: number): void {
  const kept = elements[a]!;
  elements[a] = elements[b]!;
  elements[b] = kept;
}

function siftDown<T>(elements: T[], root: number, end: number, compare: Compare<T>): void {
  let node = root;
  for (let left = 2 * node + 1; left + 1 < end; left = 2 * node + 1) {
    node = compare(elements[left]!, elements[left + 1]!) >= 0 ? left : left + 1;
  }
  // A last leaf without a sibling.
  if (2 * node + 2 === end) node = 2 * node + 1;
  while (node !== root && compare(elements[root]!, elements[node]!) >= 0) node = parentOf(node);
  const place = node;
  while (node !== root) {
    node = parentOf(node);
    swap(elements, node, place);
  }
}

/** Sorts what the first order holds equal by the second (sort_secondary). The elements are sorted by the first already. */
export function sortWithin<T>(elements: T[], primary: Compare<T>, secondary: Compare<T>): void {
  let start = 0;
  let count = 1;
  for (let i = 0; i < elements.length - 1; i++) {
    if (primary(elements[i]!, elements[i + 1]!) === 0) {
      count++;
      if (i < elements.length - 2) continue;
    }
    if (count >= 2) {
      const group = elements.slice(start, start + count);
      heapSort(group, secondary);
      elements.splice(start, count, ...group);
    }
    start = i + 1;
    count = 1;
  }
}
