import type { VersionDifference } from '#core/design/difference/versionDifference.ts'

/** What one person did to a draft at one time, as everybody who works on the draft is told. */

export const ACT_KINDS = ['edit', 'remove', 'import', 'restore'] as const
export type DesignStepKind = (typeof ACT_KINDS)[number]

/** The parts of a draft that an act changed. */
export const TOUCHED_PARTS = [
  'visitsAdded',
  'visitsRemoved',
  'visitsChanged',
  'pagesAdded',
  'pagesRemoved',
  'pagesChanged',
] as const
export type TouchedPart = (typeof TOUCHED_PARTS)[number]

/** Names of visits and pages. */
export type TouchedNames = Readonly<Record<TouchedPart, readonly string[]>>

export function touchedNames({ folders, pages }: VersionDifference): TouchedNames {
  const visits = (fate: 'added' | 'removed' | 'changed') =>
    folders.flatMap((one) => (one.fate === fate ? [one.name] : []))
  const sheets = (fate: 'added' | 'removed' | 'changed') =>
    pages.flatMap((one) => (one.fate === fate ? [one.name] : []))
  return {
    visitsAdded: visits('added'),
    visitsRemoved: visits('removed'),
    visitsChanged: visits('changed'),
    pagesAdded: sheets('added'),
    pagesRemoved: sheets('removed'),
    pagesChanged: sheets('changed'),
  }
}

/** Whether something was removed that a designer will look for. */
export function takesAway({ visitsRemoved, pagesRemoved }: TouchedNames): boolean {
  return visitsRemoved.length + pagesRemoved.length > 0
}

/** Both together, each name once. */
export function joinedNames(a: TouchedNames, b: TouchedNames): TouchedNames {
  const both = (part: TouchedPart) => [...new Set([...a[part], ...b[part]])]
  return {
    visitsAdded: both('visitsAdded'),
    visitsRemoved: both('visitsRemoved'),
    visitsChanged: both('visitsChanged'),
    pagesAdded: both('pagesAdded'),
    pagesRemoved: both('pagesRemoved'),
    pagesChanged: both('pagesChanged'),
  }
}
