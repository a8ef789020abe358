import type { FolderRow } from '#core/api/sync/rows.ts'

import type { Design, DesignPage } from './design.ts'
import { designOf, foldersOf } from './design.ts'

/**
 * What a device keeps of a design that the server has not: the visits with the pages in them, and of pages only those
 * that were edited. A study has a hundred pages of which one is being worked on; keeping all of them at every pause
 * would be felt by the hand.
 */

/** A visit with its pages; `option` is null for a page that was not edited: it is as the server has it. */
export type UnsavedFolder = Omit<FolderRow, 'pages'> & {
  readonly pages: readonly (Omit<FolderRow['pages'][number], 'option'> & { readonly option: string | null })[]
}

export interface UnsavedSides {
  /** What was edited, as it was before. */
  readonly base: readonly UnsavedFolder[]
  readonly mine: readonly UnsavedFolder[]
}

/** What is to be kept of a design that was made from `saved`. */
export function packUnsaved(saved: Design, present: Design): UnsavedSides {
  const isTouched = (id: string): boolean => saved.pages.get(id) !== present.pages.get(id)
  return { base: rowsOf(saved, isTouched), mine: rowsOf(present, isTouched) }
}

/**
 * The design as it was made and what it was made from.
 *
 * @param server the design as the server has it now, from which the pages come that were not edited. One that is not
 *   there any more was removed by somebody else, and is in neither.
 */
export function readUnsaved(
  { base, mine }: UnsavedSides,
  server: Design,
): { readonly base: Design; readonly mine: Design } {
  return { base: designOfSide(base, server), mine: designOfSide(mine, server) }
}

/** Steps that can be undone, each with the pages that the next one has otherwise. */
export function packSteps(past: readonly Design[], present: Design): readonly (readonly UnsavedFolder[])[] {
  return past.map((step, at) => {
    const next = past[at + 1] ?? present
    const known = steps.get(step)
    if (known?.next === next) return known.rows
    const rows = rowsOf(step, (id) => step.pages.get(id) !== next.pages.get(id))
    steps.set(step, { next, rows })
    return rows
  })
}

/** Steps as they are kept: of all of them only the last has another one after it while somebody types. */
const steps = new WeakMap<Design, { readonly next: Design; readonly rows: readonly UnsavedFolder[] }>()

/** The same read again. @param present what they were kept beside */
export function readSteps(kept: readonly (readonly UnsavedFolder[])[], present: Design): readonly Design[] {
  const designs: Design[] = []
  for (const step of kept.toReversed()) designs.unshift(designOfSide(step, designs[0] ?? present))
  return designs
}

function rowsOf(design: Design, isTouched: (pageId: string) => boolean): readonly UnsavedFolder[] {
  // The texts of pages that were not touched are not made for this.
  const only: Design = {
    folders: design.folders,
    pages: new Map(
      [...design.pages].map(([id, page]) => [id, isTouched(id) ? page : { ...page, form: null, stored: '' }]),
    ),
  }
  return foldersOf(only).map((folder) => ({
    ...folder,
    pages: folder.pages.map((page) => (isTouched(page.id) ? page : { ...page, option: null })),
  }))
}

function designOfSide(folders: readonly UnsavedFolder[], server: Design): Design {
  const kept = designOf(
    folders.map((folder) => ({
      ...folder,
      pages: folder.pages.flatMap((page) => (page.option === null ? [] : [{ ...page, option: page.option }])),
    })),
  )
  const pages = new Map<string, DesignPage>(kept.pages)
  const place = (id: string): boolean => {
    const theirs = server.pages.get(id)
    if (!pages.has(id) && theirs !== undefined) pages.set(id, theirs)
    return pages.has(id)
  }
  return {
    folders: kept.folders.map((folder, at) => ({
      ...folder,
      pageIds: (folders[at]?.pages ?? []).map(({ id }) => id).filter(place),
    })),
    pages,
  }
}
