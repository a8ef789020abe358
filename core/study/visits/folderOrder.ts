/** The order of the folders in one patient's casebook: the order of the definition, until somebody moves one. */

export interface PlacedFolder {
  readonly id: string
  /** The place in the definition. */
  readonly sort: number
  /** This patient's own place for the folder; null for the place in the definition. */
  readonly order: number | null
}

/** Folders in the order in which the patient has them. */
export function inPatientOrder<Folder extends PlacedFolder>(folders: readonly Folder[]): readonly Folder[] {
  return folders.toSorted((a, b) => orderOf(a) - orderOf(b) || a.sort - b.sort)
}

/**
 * The places that change when a folder moves up or down by one; nothing where it is at that end already, or is not in
 * the list.
 */
export function folderMoved(
  folders: readonly PlacedFolder[],
  id: string,
  by: -1 | 1,
): readonly { readonly id: string; readonly order: number }[] {
  const ordered = inPatientOrder(folders)
  const at = ordered.findIndex((folder) => folder.id === id)
  const [one, other] = [ordered[at], ordered[at + by]]
  if (one === undefined || other === undefined) return []
  if (orderOf(one) !== orderOf(other)) {
    return [
      { id: one.id, order: orderOf(other) },
      { id: other.id, order: orderOf(one) },
    ]
  }
  // Where two folders have the same place, exchanging the two places would change nothing: so all folders are numbered
  // anew.
  const after = ordered.with(at, other).with(at + by, one)
  return after.flatMap((folder, order) => (orderOf(folder) === order ? [] : [{ id: folder.id, order }]))
}

function orderOf({ sort, order }: PlacedFolder): number {
  return order ?? sort
}
