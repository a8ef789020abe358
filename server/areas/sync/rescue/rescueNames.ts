import type { Membership } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** The subject of an operation or a draft in a file. */
export interface Subject {
  readonly author: string
  readonly patientId: string
  readonly versionId: string | null
  readonly pageId: string | null
  /** Subject number that the enrolment itself brings. */
  readonly no: string | null
}

export interface Names {
  readonly authorName: string | null
  readonly patientNo: string | null
  readonly pageName: string | null
  readonly pageNameEn: string | null
}

/**
 * Names for a list of the file's content, as far as the member may see them: a patient of another center has no name
 * here.
 */
export async function rescueNames(
  transaction: Queryable,
  member: Membership,
  subjects: readonly Subject[],
): Promise<(subject: Subject) => Names> {
  const authors = await transaction.query<{ id: string; name: string }>({
    name: 'rescue_authors',
    text: 'SELECT id, real_name AS name FROM app_user WHERE id = ANY ($1)',
    values: [subjects.map(({ author }) => author)],
  })
  const patients = await transaction.query<{ id: string; no: string | null; visible: boolean }>({
    name: 'rescue_patients',
    text: `SELECT p.id, p.no, (${PATIENT_VISIBLE}) AS visible FROM patient p WHERE p.id = ANY ($4)`,
    values: [...visibleTo(member), subjects.map(({ patientId }) => patientId)],
  })
  const pages = await transaction.query<{
    versionId: string
    pageId: string
    pageName: string
    pageNameEn: string | null
  }>({
    name: 'rescue_pages',
    text: `
      SELECT p.version_id AS "versionId", p.page_id AS "pageId", p.name AS "pageName", p.name_en AS "pageNameEn" FROM crf_page p JOIN crf_version v ON v.id = p.version_id
      WHERE v.project_id = $1 AND p.page_id = ANY ($2)`,
    values: [member.projectId, subjects.flatMap(({ pageId }) => pageId ?? [])],
  })
  const authorNames = new Map(authors.rows.map(({ id, name }) => [id, name]))
  const known = new Map(patients.rows.map((row) => [row.id, row]))
  // A patient whose enrolment is in the file has the number that the tablet gave.
  const brought = new Map(subjects.flatMap(({ patientId, no }) => (no === null ? [] : [[patientId, no] as const])))
  const pageNames = new Map(pages.rows.map(({ versionId, pageId, ...page }) => [`${versionId} ${pageId}`, page]))
  const anyPage = new Map(pages.rows.map(({ pageId, pageName, pageNameEn }) => [pageId, { pageName, pageNameEn }]))
  const numberOf = (patientId: string): string | null => {
    const patient = known.get(patientId)
    if (patient === undefined) return member.centers === 'all' ? (brought.get(patientId) ?? null) : null
    return patient.visible ? patient.no : null
  }
  return ({ author, patientId, versionId, pageId }) => ({
    authorName: authorNames.get(author) ?? null,
    patientNo: numberOf(patientId),
    ...((pageId === null ? null : (pageNames.get(`${versionId ?? ''} ${pageId}`) ?? anyPage.get(pageId))) ?? {
      pageName: null,
      pageNameEn: null,
    }),
  })
}
