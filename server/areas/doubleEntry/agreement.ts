import type { DataOf } from '#core/api/call.ts'
import type { Agreement, FieldShare } from '#core/api/calls/review/double.ts'
import type { CallOf } from '#core/api/table.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { Membership } from '#server/access.ts'
import { centerParameter, isTheirs, ownParameter } from '#server/access.ts'
import { agreementOf, comparePatient } from '#server/areas/doubleEntry/compare.ts'
import type { ComparedPage } from '#server/areas/doubleEntry/compare.ts'
import { itemAuthors } from '#server/areas/doubleEntry/itemAuthors.ts'
import type { ItemAuthors } from '#server/areas/doubleEntry/itemAuthors.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** How far the two passes agree: overall, by field, by author, by center. */

/** Counts of one patient, as they were when the passes were merged. */
export interface Tallies {
  readonly total: Agreement
  /** By page and field: `pageCode.code`, `pageCode.table.code`. */
  readonly fields: Readonly<Record<string, Agreement>>
  /** By person, over the items and rows that they entered and that were compared. */
  readonly people: Readonly<Record<string, Agreement>>
}

export function talliesOf(pages: readonly ComparedPage[], authors: ItemAuthors): Tallies {
  const fields: Record<string, Agreement> = {}
  const people: Record<string, Agreement> = {}
  for (const page of pages) {
    if (page.first === null || page.second === null) continue
    for (const compared of page.comparison.compared) {
      const { field, row, gap } = compared
      const counts = { compared: 1, differing: gap === null ? 0 : 1 }
      add(
        fields,
        [page.page.code, ...(row === null || gap?.kind === 'row' ? [] : [row.table.code]), field.code].join('.'),
        counts,
      )
      for (const pass of [1, 2] as const) {
        const author = authors.of(page, compared, pass)
        if (author !== null) add(people, author.name, counts)
      }
    }
  }
  return { total: agreementOf(pages), fields, people }
}

function add(into: Record<string, Agreement>, name: string, { compared, differing }: Agreement): void {
  const before = into[name] ?? { compared: 0, differing: 0 }
  into[name] = { compared: before.compared + compared, differing: before.differing + differing }
}

type Report = DataOf<CallOf<'double.agreement'>>

/**
 * Over all patients that the reader sees. Merged patients count as they were at the merge, the others as they are
 * now.
 */
export async function agreementReport(
  transaction: Queryable,
  member: Membership,
  centerId: string | null,
): Promise<Report> {
  const { rows } = await transaction.query<{ patientId: string; centerName: string; agreement: Tallies | null }>({
    name: 'double_patients',
    text: `
      SELECT p.id AS "patientId", c.name AS "centerName", d.agreement
      FROM patient p JOIN center c ON c.id = p.center_id LEFT JOIN double_entry d ON d.patient_id = p.id
      WHERE p.project_id = $1 AND NOT p.deleted AND ($2::uuid[] IS NULL OR p.center_id = ANY ($2)) AND ($3::uuid IS NULL OR p.center_id = $3)
        AND ${isTheirs('p', '$4')}
        AND (d.agreement IS NOT NULL OR EXISTS (SELECT 1 FROM entry e WHERE e.patient_id = p.id AND e.pass = 2 AND e.status <> 'init' AND NOT e.deleted))
      ORDER BY p.id`,
    values: [member.projectId, centerParameter(member), centerId, ownParameter(member)],
  })
  const [fields, people, centers]: Record<string, Agreement>[] = [{}, {}, {}]
  const all: Record<string, Agreement> = {}
  for (const row of rows) {
    const tallies = row.agreement ?? (await talliesNow(transaction, member.projectId, row.patientId))
    add(all, 'total', tallies.total)
    add(centers ?? {}, row.centerName, tallies.total)
    for (const [name, one] of Object.entries(tallies.fields)) add(fields ?? {}, name, one)
    for (const [name, one] of Object.entries(tallies.people)) add(people ?? {}, name, one)
  }
  const labels = await fieldLabels(transaction, member.projectId)
  return {
    total: all['total'] ?? { compared: 0, differing: 0 },
    fields: listShares(fields).map((one) => ({ ...one, label: labels(one.name) })),
    people: listShares(people),
    centers: listShares(centers),
  }
}

/** The names of fields in the latest released definition of their pages. */
async function fieldLabels(transaction: Queryable, projectId: string): Promise<(name: string) => FieldShare['label']> {
  const { rows } = await transaction.query<{ code: string; name: string; nameEn: string | null; option: string }>({
    name: 'double_labels',
    text: `
      SELECT DISTINCT ON (p.code) p.code, p.name, p.name_en AS "nameEn", p.option FROM crf_page p JOIN crf_version v ON v.id = p.version_id
      WHERE v.project_id = $1 AND v.profile = 'formal' AND NOT v.deleted ORDER BY p.code, v.version_no DESC`,
    values: [projectId],
  })
  const pages = new Map(
    rows.flatMap(({ code, name, nameEn, option }) => {
      const read = parsePage(option)
      return read.ok ? [[code, { name, nameEn, model: read.page }] as const] : []
    }),
  )
  return (name) => {
    const [pageCode = '', ...way] = name.split('.')
    const page = pages.get(pageCode)
    const [table, code] = way.length > 1 ? [way[0] ?? null, way[1] ?? ''] : [null, way[0] ?? '']
    const field = page === undefined ? null : fieldAt(page.model, table, code)
    if (page === undefined || field === null) return null
    const of = table === null ? null : fieldAt(page.model, null, table)
    return {
      pageName: page.name,
      pageNameEn: page.nameEn,
      table: of === null ? null : nameOf(of),
      field: nameOf(field),
    }
  }
}

function nameOf({ label, labelEn }: Field): { readonly zh: string; readonly en: string | null } {
  return { zh: label, en: labelEn }
}

async function talliesNow(transaction: Queryable, projectId: string, patientId: string): Promise<Tallies> {
  const { pages } = await comparePatient(transaction, projectId, patientId)
  return talliesOf(pages, await itemAuthors(transaction, projectId, pages))
}

/** Those that differ most come first. */
function listShares(shares: Record<string, Agreement> = {}): Report['people'] {
  return Object.entries(shares)
    .map(([name, share]) => ({ name, ...share }))
    .toSorted((a, b) => b.differing - a.differing || (a.name < b.name ? -1 : 1))
}
