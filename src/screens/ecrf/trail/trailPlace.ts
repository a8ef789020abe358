import type { AuditLine } from '#core/api/calls/sync.ts'
import { addressKey } from '#core/form/definition/address.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { labelOf } from '#src/form/words.ts'
import { casebookPath, entryPath, patientVisitsPath } from '#src/paths/screenPaths.ts'

import type { TrailLine, TrailVersions } from './trailLine.ts'
import type { TrailWords } from './trailWords.ts'
import { makePageReader } from '#src/form/places/versionPages.ts'
import type { PageInVersion, PlaceInBook } from '#src/form/places/versionPages.ts'

/** What a line, of the server or of this device, says about its place. */
interface PlacedLine extends Pick<AuditLine, 'action' | 'entryId' | 'table' | 'rid' | 'rowNo' | 'prop' | 'now'> {
  readonly place: PlaceInBook | null
  /** The version that gives `table` and `prop` their names; null where it is not known. */
  readonly version: string | null
}

/** The place of a line, in words and as an address. */
interface TrailPlace extends Pick<TrailLine, 'visit' | 'page' | 'isInRow' | 'place' | 'to'> {
  /** The field of the line; null where the line is about none, or no known version has the field. */
  readonly field: Field | null
}

export interface PlaceReader {
  readonly readPlace: (line: PlacedLine, versions: TrailVersions) => TrailPlace
  /**
   * The field as the version before a release has it. Null where that version cannot be read; the old value is then
   * shown as stored, because the choices of the release could give it another meaning.
   */
  readonly readFormerField: (
    former: NonNullable<AuditLine['former']>,
    place: PlaceInBook | null,
    versions: TrailVersions,
  ) => Field | null
}

/** Finds the places of lines in a casebook, in the words of the versions under which they were written. */
export function makePlaceReader(book: Casebook, words: TrailWords): PlaceReader {
  const pagesOf = makePageReader()
  const visitNames = new Map(book.visits.map((visit) => [visit.id, words.names.visit(visit)]))
  const entries = new Map(book.folders.flatMap((folder) => folder.pages.map((page) => [page.entryId, page] as const)))
  return {
    readPlace: (line, versions) => {
      const version = line.version === null ? book.version : versions.get(line.version)
      // In the present version, an old code could belong to another field. Without its own version, a line is named by
      // its code.
      const page = line.place === null || version === undefined ? undefined : pagesOf(version).get(line.place)
      const pageNow = line.place === null ? undefined : pagesOf(book.version).get(line.place)
      const entry = entries.get(line.entryId ?? '')
      const at = entry ?? page ?? pageNow ?? null
      const pageName = at === null ? null : words.names.page(at)
      const field = fieldOf(line, page)
      const row = rowText(line, page, words)
      const item = itemText(line, field, words)
      return {
        field,
        visit:
          line.place === null ? (visitNames.get(line.rid ?? '') ?? null) : at === null ? null : words.names.visit(at),
        page: entry?.repeatable === true && pageName !== null ? words.repeatedPage(pageName, entry.repeatNo) : pageName,
        isInRow: row !== null,
        place: [row, item].filter((part) => part !== null).join(' · ') || null,
        to: pathTo(book, line, pageNow),
      }
    },
    readFormerField: ({ versionId, table, prop: code }, place, versions) => {
      const version = versions.get(versionId)
      return version === undefined || place === null
        ? null
        : (pagesOf(version).get(place)?.fieldAt({ table, code }) ?? null)
    },
  }
}

function fieldOf({ table, rid, prop }: PlacedLine, page: PageInVersion | undefined): Field | null {
  return prop === null || page === undefined ? null : page.fieldAt({ table: rid === null ? null : table, code: prop })
}

/** The row that a line is about or lies in; null where there is none. */
function rowText({ table, rid, rowNo }: PlacedLine, page: PageInVersion | undefined, words: TrailWords): string | null {
  if (table === null || rid === null) return null
  const field = page?.fieldAt({ table: null, code: table }) ?? null
  return words.row(field === null ? table : labelOf(field, words.language), rowNo)
}

/** The field, or the fact of the patient or visit; null where the line is about the whole. */
function itemText({ prop, action }: PlacedLine, field: Field | null, words: TrailWords): string | null {
  if (prop === null || prop.startsWith('_')) return null
  if (field !== null) return labelOf(field, words.language)
  const fact = action.startsWith('patient.') ? words.fact(prop) : null
  return fact ?? (isOfVisits(action) ? words.visitFact(prop) : prop)
}

function isOfVisits(action: string): boolean {
  return action.startsWith('visit.') || action.startsWith('folder.')
}

const GONE = { table: null, prop: null }

/**
 * The address of the exact field, its row, its page, the visits or the casebook. A field that is gone leads to its
 * page.
 */
function pathTo(
  { project, patient }: Casebook,
  { action, entryId, rid, rowNo, now, ...then }: PlacedLine,
  page: PageInVersion | undefined,
): string | null {
  if (entryId === null)
    return isOfVisits(action) ? patientVisitsPath(project.id, patient.id) : casebookPath(project.id, patient.id)
  // The place where the field is now. An older server, and lines of this device, know only its former place.
  const { table, prop } = now === null ? GONE : (now ?? then)
  const tableField = table === null ? null : (page?.fieldAt({ table: null, code: table }) ?? null)
  const code = prop === null || prop.startsWith('_') ? (tableField?.children[0]?.code ?? null) : prop
  // A deleted row has no place of its own: its line leads to the table.
  const field =
    table === null ? code : rid === null || rowNo === null || code === null ? table : addressKey({ table, rid, code })
  return entryPath(project.id, patient.id, entryId, field)
}
