import type { Correction, Entered, EnteredPage, Values } from '#server/demo/course/entered.ts'

/** How the pages of a subject come about: as planned for a visit, and with what is special about some. */

/** A page that a person fills in at a visit. */
export type Planned = readonly [page: string, entered: Entered]

/** What is special about one page of one subject. */
export interface PlantedPage {
  /** The subject's number. */
  readonly no: string
  readonly folder: string
  readonly page: string
  /** Values that replace generated ones. */
  readonly values?: Values
  /** Fields that are left empty. */
  readonly without?: readonly string[]
  readonly missing?: Entered['missing']
  readonly confirmed?: Entered['confirmed']
  readonly submit?: false
  readonly corrections?: readonly Correction[]
}

/** A page that was filled in and submitted. */
export function pageOf(folder: string, page: string, entered: Entered, repeat = 0): EnteredPage {
  return { ...entered, folder, page, repeat, submit: true, corrections: [] }
}

/** The page with what is special about it, if anything is. */
export function withPlanted(planted: readonly PlantedPage[], no: string, page: EnteredPage): EnteredPage {
  const special = planted.find((one) => one.no === no && one.folder === page.folder && one.page === page.page)
  if (special === undefined || page.repeat > 0) return page
  const { values = {}, without = [], missing = {}, submit = page.submit, corrections = [], confirmed = {} } = special
  const kept = Object.entries({ ...page.values, ...values }).filter(([code]) => !without.includes(code))
  return { ...page, values: Object.fromEntries(kept), missing, submit, corrections, confirmed }
}
