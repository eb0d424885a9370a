/** Different kinds that are told apart; a file may have one for each of its pages. */
const MAX_KINDS = 20;

/** A kind of pages that is none of ours, as the file writes it. */
export type OtherKind = {
  readonly kind: string;
  /** Of its first page. */
  readonly line: number;
  readonly pages: number;
};

/**
 * Counts the pages that become notes, since their kind is none of ours: a wanted one, or a slip.
 * Memory is bounded: of more than 20 kinds, the first 20 are listed, and the pages of all counted.
 */
export function countOtherKinds() {
  const kinds = new Map<string, OtherKind>();
  let pages = 0;
  return {
    add(kind: string, line: number): void {
      pages += 1;
      const known = kinds.get(kind);
      if (known !== undefined) kinds.set(kind, { ...known, pages: known.pages + 1 });
      else if (kinds.size < MAX_KINDS) kinds.set(kind, { kind, line, pages: 1 });
    },
    counts: () => ({ pages, kinds: [...kinds.values()] }),
  };
}
