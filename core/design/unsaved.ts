import type { FolderRow } from '#core/api/sync/rows.ts'

import type { Design, DesignPage } from './design.ts'
import { designOf, foldersOf } from './design.ts'

/**
 * What a device keeps of a design that the server does not have: the visits with their page ids, and only those pages
 * that were edited. A study has a hundred pages and one is being edited; keeping all of them at every pause would slow
 * down typing.
 */

/** A visit with its pages; `option` is null for a page that was not edited: the server has it. */
export type UnsavedFolder = Omit<FolderRow, 'pages'> & {
  readonly pages: readonly (Omit<FolderRow['pages'][number], 'option'> & { readonly option: string | null })[]
}

export interface UnsavedSides {
  /** What was edited, as it was before. */
  readonly base: readonly UnsavedFolder[]
  readonly mine: readonly UnsavedFolder[]
}

/** What must be kept of a design that was made from `saved`. */
export function packUnsaved(saved: Design, present: Design): UnsavedSides {
  const isTouched = (id: string): boolean => saved.pages.get(id) !== present.pages.get(id)
  return { base: rowsOf(saved, isTouched), mine: rowsOf(present, isTouched) }
}

/**
 * The kept design and the one that it was made from.
 *
 * @param server the server's present design, for the pages that were not edited. A page that is missing there was
 *   removed by somebody else, and is in neither design
 */
export function readUnsaved(
  { base, mine }: UnsavedSides,
  server: Design,
): { readonly base: Design; readonly mine: Design } {
  return { base: designOfSide(base, server), mine: designOfSide(mine, server) }
}

/** Steps that can be undone, each with the pages that differ in the next one. */
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

/** Packed steps: while somebody types, only the last of them gets another next step. */
const steps = new WeakMap<Design, { readonly next: Design; readonly rows: readonly UnsavedFolder[] }>()

/**
 * Reads packed steps.
 *
 * @param present the design with which they were kept
 */
export function readSteps(kept: readonly (readonly UnsavedFolder[])[], present: Design): readonly Design[] {
  const designs: Design[] = []
  for (const step of kept.toReversed()) designs.unshift(designOfSide(step, designs[0] ?? present))
  return designs
}

function rowsOf(design: Design, isTouched: (pageId: string) => boolean): readonly UnsavedFolder[] {
  // The texts of untouched pages are not needed here.
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
