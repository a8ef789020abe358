import type { LineProblem, QuestionLine } from '#core/api/calls/review/queryLines.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { holdsData, isTable } from '#core/form/definition/page.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { repeatsOf } from '#core/study/visits/schedule.ts'
import type { VisitFacts } from '#core/study/visits/schedule.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'

/** Finds what a line of a file means in a casebook: people write names, codes and numbers. */

export interface BookPage {
  readonly id: string
  readonly name: string
  readonly nameEn: string | null
  readonly code: string
  /** Whether a patient has it only once somebody has made it. */
  readonly byHand: boolean
}

export interface BookFolder extends Omit<BookPage, 'byHand'> {
  readonly schedule: FolderSchedule | undefined
  readonly pages: readonly BookPage[]
}

/** A page that was begun, as far as its place goes. */
export interface BegunPage {
  readonly folderId: string
  readonly folderRepeat: string
  readonly pageId: string
  readonly pageRepeat: string
}

/** A patient, as far as it decides where something is. */
export interface PatientBook {
  readonly facts: readonly VisitFacts[]
  readonly begun: readonly BegunPage[]
}

export interface VisitPlace {
  readonly folderId: string
  readonly folderRepeat: string
}

/** A place of a page, and what of it the line names. */
export interface PagePlace extends VisitPlace {
  readonly pageId: string
  readonly pageRepeat: string
}

/** What on a page: a field of it, a field of the nth row of a table, or that row. */
export interface FieldPlace {
  readonly table: string | null
  readonly code: string
  /** From 1; null outside of rows. */
  readonly rowNo: number | null
}

export type Found<Place> = { readonly at: Place } | { readonly problem: LineProblem }

/** The visit and the page that a line names; both null where it is about the patient as a whole. */
export function findPage(
  folders: readonly BookFolder[],
  book: PatientBook,
  line: QuestionLine,
): Found<{ readonly visit: VisitPlace | null; readonly page: PagePlace | null }> {
  const [visit, page] = [plain(line.visit), plain(line.page)]
  if (page === '' && plain(line.field) !== '') return { problem: 'page_missing' }
  if (visit === '' && page === '') return { at: { visit: null, page: null } }
  // A page that stands in one visit only need not be said with it.
  const within = visit === '' ? folders : folders.filter((one) => isNamed(one, visit))
  if (within.length === 0) return { problem: 'visit_unknown' }
  const fit = page === '' ? within : within.filter(({ pages }) => pages.some((one) => isNamed(one, page)))
  const [folder, other] = fit
  if (folder === undefined) return { problem: 'page_unknown' }
  if (other !== undefined) return { problem: visit === '' ? 'visit_missing' : 'visit_ambiguous' }
  const folderRepeat = findVisitRepeat(folder, book, line.visitRepeat)
  if ('problem' in folderRepeat) return folderRepeat
  const at = { folderId: folder.id, folderRepeat: folderRepeat.at }
  return page === '' ? { at: { visit: at, page: null } } : findPageIn(folder, at, book, line)
}

function findPageIn(
  { pages }: BookFolder,
  visit: VisitPlace,
  { begun }: PatientBook,
  { page, pageRepeat }: QuestionLine,
): Found<{ readonly visit: VisitPlace; readonly page: PagePlace }> {
  const [found, other] = pages.filter((one) => isNamed(one, plain(page)))
  if (found === undefined) return { problem: 'page_unknown' }
  if (other !== undefined) return { problem: 'page_ambiguous' }
  const there = begun
    .filter(
      (one) => one.pageId === found.id && one.folderId === visit.folderId && one.folderRepeat === visit.folderRepeat,
    )
    .map((one) => one.pageRepeat)
  // As the casebook counts: the page itself, then its repeats in the order in which they were made.
  const isFirstThere = !found.byHand || there.includes(FIRST_REPEAT)
  const repeats = [...(isFirstThere ? [FIRST_REPEAT] : []), ...there.filter((one) => one !== FIRST_REPEAT).toSorted()]
  const repeat = nth(repeats, pageRepeat)
  return repeat === undefined
    ? { problem: 'page_not_begun' }
    : { at: { visit, page: { ...visit, pageId: found.id, pageRepeat: repeat } } }
}

function findVisitRepeat({ id, schedule }: BookFolder, { facts, begun }: PatientBook, said: string): Found<string> {
  const repeats = repeatsOf(
    { schedule },
    {
      facts: facts.filter(({ folderId }) => folderId === id),
      entered: begun.filter(({ folderId }) => folderId === id),
    },
  )
  // Of visits that people make, none is the one that is meant unless it is said.
  if (plain(said) === '' && !repeats.includes(FIRST_REPEAT) && repeats.length > 1) return { problem: 'visit_ambiguous' }
  const repeat = nth(repeats, said)
  return repeat === undefined ? { problem: 'visit_not_begun' } : { at: repeat }
}

/** What of a page a line names; null for the page as a whole. */
export function findField(page: PageModel, line: QuestionLine): Found<FieldPlace | null> {
  const [said, row] = [plain(line.field), plain(line.row)]
  if (said === '') return row === '' ? { at: null } : { problem: 'field_missing' }
  const all = page.fields.flatMap((field): readonly Named[] => [
    { table: null, field },
    ...(isTable(field) ? field.children.map((child) => ({ table: field, field: child })) : []),
  ])
  const asks = all.filter(({ field }) => holdsData(field) || isTable(field))
  const byCode = asks.filter(({ table, field }) =>
    [field.code, ...(table === null ? [] : [`${table.code}.${field.code}`])].some((code) => plain(code) === said),
  )
  const [found, other] = byCode.length > 0 ? byCode : asks.filter(({ field }) => isLabelled(field, said))
  if (found === undefined) return { problem: 'field_unknown' }
  if (other !== undefined) return { problem: 'field_ambiguous' }
  const { table, field } = found
  if (table === null && !isTable(field))
    return row === '' ? { at: { table: null, code: field.code, rowNo: null } } : { problem: 'row_not_there' }
  if (row === '')
    return table === null ? { at: { table: null, code: field.code, rowNo: null } } : { problem: 'row_missing' }
  const rowNo = numberIn(row)
  if (rowNo === null) return { problem: 'row_not_there' }
  return { at: { table: (table ?? field).code, code: table === null ? WHOLE_ROW : field.code, rowNo } }
}

interface Named {
  readonly table: Field | null
  readonly field: Field
}

/** How names are compared: nobody sees how wide a letter is, or a space at its end. */
export function plain(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

function isNamed({ id, name, nameEn, code }: Omit<BookPage, 'byHand'>, said: string): boolean {
  return [id, name, nameEn ?? '', code].some((one) => plain(one) === said)
}

function isLabelled({ label, labelEn }: Field, said: string): boolean {
  return [label, labelEn ?? ''].some((one) => plain(one) === said)
}

/** The nth, from 1, or the first where no number is said. */
function nth<One>(all: readonly One[], said: string): One | undefined {
  if (plain(said) === '') return all[0]
  const no = numberIn(said)
  return no === null ? undefined : all[no - 1]
}

function numberIn(said: string): number | null {
  const digits = /^\d{1,6}$/.exec(plain(said))
  return digits === null || Number(digits[0]) === 0 ? null : Number(digits[0])
}
