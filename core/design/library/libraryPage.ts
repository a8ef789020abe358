import type { BilingualText, PageOption } from '#core/form/definition/column.ts'

/**
 * A page of the starter library: a starting point for a casebook, which designers then change. Copies are not kept up
 * to date.
 */
export interface LibraryPage {
  /** Stable, and different from all generated ids. */
  readonly id: string
  readonly part: LibraryPart
  readonly pageCode: string
  readonly name: BilingualText & { readonly en: string }
  /** What the page is for. */
  readonly about: BilingualText & { readonly en: string }
  readonly repeatable: boolean
  readonly option: PageOption
}

/** The part of the library that a page belongs to: any study, or studies of traditional Chinese medicine. */
export const libraryParts = ['general', 'tcm'] as const
export type LibraryPart = (typeof libraryParts)[number]
