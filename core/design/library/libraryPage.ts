import type { BilingualText, PageOption } from '#core/form/definition/column.ts'

/**
 * A page of the starter library: something to begin a casebook with, and to be changed from then on. Nothing of it is
 * kept up to date.
 */
export interface LibraryPage {
  /** Stable, and none of the ids that are made. */
  readonly id: string
  readonly part: LibraryPart
  readonly pageCode: string
  readonly name: BilingualText & { readonly en: string }
  /** What it is for. */
  readonly about: BilingualText & { readonly en: string }
  readonly repeatable: boolean
  readonly option: PageOption
}

/** What a page of the library belongs to: any study, or those of traditional Chinese medicine. */
export const libraryParts = ['general', 'tcm'] as const
export type LibraryPart = (typeof libraryParts)[number]
