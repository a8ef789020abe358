/**
 * Names in the reader's language: a definition has its own words for everything, and English words where somebody wrote
 * them.
 */

import type { Language } from '#core/language.ts'

/** English words that may be missing. */
export type English = string | null | undefined

/** The English words for an English reader, where there are any; for everybody else the definition's own words. */
export function inLanguage<Own extends string | null>(language: Language, own: Own, english: English): Own | string {
  return language === 'en' && typeof english === 'string' && english !== '' ? english : own
}

/** The names of a visit. */
export interface VisitNames {
  readonly folderName: string | null
  readonly folderNameEn?: English
}

/** The names of a page. */
export interface PageNames {
  readonly pageName: string | null
  readonly pageNameEn?: English
}

/** The names of a field; null for a field that is in no definition. */
export interface FieldNames {
  readonly fieldLabel: string | null
  readonly fieldLabelEn?: English
}

/** Something that belongs to a visit, and has its name. */
export interface NamedVisit extends VisitNames {
  readonly folderName: string
}

/** Something that belongs to a page, and has its name. */
export interface NamedPage extends PageNames {
  readonly pageName: string
}

/** The name of a visit in a language. */
export function visitNameIn<Of extends VisitNames>(
  language: Language,
  { folderName, folderNameEn }: Of,
): Of['folderName'] | string {
  return inLanguage(language, folderName, folderNameEn)
}

/** The label of a field in a language. */
export function fieldLabelIn(language: Language, { fieldLabel, fieldLabelEn }: FieldNames): string | null {
  return inLanguage(language, fieldLabel, fieldLabelEn)
}

/** The name of a page in a language. */
export function pageNameIn<Of extends PageNames>(
  language: Language,
  { pageName, pageNameEn }: Of,
): Of['pageName'] | string {
  return inLanguage(language, pageName, pageNameEn)
}
