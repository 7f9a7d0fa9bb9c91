/** A view, and whether it needs two recordings. */
interface View {
  readonly id: string;
  readonly title: string;
  readonly isOfTwo?: true;
}

/** The views, in the order of their tabs and keys. */
export const VIEWS = [
  { id: 'timeline', title: 'Timeline' },
  { id: 'flame', title: 'Flame graph' },
  { id: 'sandwich', title: 'Callers and callees' },
  { id: 'table', title: 'Functions' },
  { id: 'source', title: 'Source' },
  { id: 'requests', title: 'Requests' },
  { id: 'changes', title: 'Changes', isOfTwo: true },
  { id: 'changed-flame', title: 'Changed stacks', isOfTwo: true },
] as const satisfies readonly View[];
export type ViewId = (typeof VIEWS)[number]['id'];

/** The views of two recordings. */
export const VIEWS_OF_TWO: ReadonlySet<ViewId> = new Set(
  (VIEWS as readonly (View & { readonly id: ViewId })[]).filter(({ isOfTwo }) => isOfTwo).map(({ id }) => id),
);
