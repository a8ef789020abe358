import { visitId } from '#core/derivedIds.ts'
import { pagesToDo } from '#core/study/visits/pagesToDo.ts'
import type { PageTodo, TodoPage } from '#core/study/visits/pagesToDo.ts'
import { scheduleOf } from '#core/study/visits/schedule.ts'
import type { ScheduleFolder, ScheduledVisit, VisitPage } from '#core/study/visits/schedule.ts'
import { folderSchedule } from '#core/study/visits/visitPlan.ts'
import type { VisitRow } from '#core/api/sync/rows.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { newestVersion } from '#server/areas/version/store.ts'
import { visitsOfPatients } from '#server/areas/visit/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Patients' visits as they are on a day. They are computed from the definition, the patient, what people said about
 * visits, and the progress of pages.
 */

export interface ScheduledFolder extends ScheduleFolder {
  readonly folderName: string
  readonly folderNameEn: string | null
  readonly pages: readonly {
    readonly id: string
    readonly option: string
    readonly pageName: string
    readonly pageNameEn: string | null
  }[]
}

/** A patient as lists show them. */
export interface ScheduledPatient {
  readonly id: string
  readonly no: string | null
  readonly mark: string
  readonly initials: string | null
  readonly centerId: string
  readonly enrolledOn: string | null
}

export interface PatientSchedule {
  readonly patient: ScheduledPatient
  readonly visits: readonly ScheduledVisit[]
  readonly rows: ReadonlyMap<string, VisitRow>
  readonly pages: readonly TodoPage[]
}

/** The folders of the version that data are entered under; empty while the project has none. */
export async function plannedFolders(transaction: Queryable, projectId: string): Promise<readonly ScheduledFolder[]> {
  const version = await newestVersion(transaction, projectId, ['formal'])
  if (version === null) return []
  const { rows } = await transaction.query<{
    id: string
    name: string
    nameEn: string | null
    code: string
    sort: number
    schedule: unknown
    pages: readonly {
      readonly id: string
      readonly pageName: string
      readonly pageNameEn: string | null
      readonly option: string
    }[]
  }>({
    name: 'visit_folders',
    // Only one setting of an option is needed here, and whole options are long.
    text: `
      SELECT f.folder_id AS id, f.name, f.name_en AS "nameEn", f.code, f.sort, f.schedule,
        coalesce((
          SELECT jsonb_agg(jsonb_build_object('id', p.page_id, 'pageName', p.name, 'pageNameEn', p.name_en,
            'option', CASE WHEN strpos(p.option, 'createdByManual') > 0 THEN p.option ELSE '' END) ORDER BY p.sort, p.page_id)
          FROM crf_page p WHERE p.version_id = f.version_id AND p.folder_id = f.folder_id), '[]') AS pages
      FROM crf_folder f WHERE f.version_id = $1 ORDER BY f.sort, f.folder_id`,
    values: [version.id],
  })
  return rows.map(({ id, name, nameEn, code, sort, schedule, pages }) => ({
    id,
    folderName: name,
    folderNameEn: nameEn,
    folderCode: code,
    sort,
    pages,
    schedule: folderSchedule.safeParse(schedule).data,
  }))
}

/** Whose visits: those of one patient, of a center's patients, or of all patients that the member may see. */
export interface Asked {
  readonly patientId: string | null
  readonly centerId: string | null
  readonly today: string
}

/** The visits of the patients whom the member may see, in the order of their numbers. */
export async function schedules(
  transaction: Queryable,
  member: Membership,
  folders: readonly ScheduledFolder[],
  asked: Asked,
): Promise<readonly PatientSchedule[]> {
  const patients = await patientsOf(transaction, member, asked)
  if (patients.length === 0) return []
  const ids = patients.map(({ id }) => id)
  const rows = Map.groupBy(await visitsOfPatients(transaction, member, ids), ({ patientId }) => patientId)
  const pages = Map.groupBy(await pagesOf(transaction, member, ids), ({ patientId }) => patientId)
  return patients.map((patient) => {
    const visits = rows.get(patient.id) ?? []
    const own = pages.get(patient.id) ?? []
    const schedule = scheduleOf({ folders, enrolledOn: patient.enrolledOn, visits, pages: own, today: asked.today })
    return { patient, visits: schedule, rows: new Map(visits.map((row) => [row.id, row])), pages: own }
  })
}

/** What a person said about a visit; null where nobody has said anything. */
export function rowOf({ patient, rows }: PatientSchedule, { folderId, folderRepeat }: ScheduledVisit): VisitRow | null {
  return rows.get(visitId({ patientId: patient.id, folderId, folderRepeat })) ?? null
}

export function todoOf({ visits, pages }: PatientSchedule, folders: readonly ScheduledFolder[]): readonly PageTodo[] {
  return pagesToDo(visits, folders, pages)
}

async function patientsOf(
  transaction: Queryable,
  member: Membership,
  { patientId, centerId }: Asked,
): Promise<readonly ScheduledPatient[]> {
  const { rows } = await transaction.query<ScheduledPatient>({
    name: 'visit_patients',
    text: `
      SELECT p.id, p.no, p.mark, p.initials, p.center_id AS "centerId", p.enrolled_on AS "enrolledOn"
      FROM patient p JOIN center c ON c.id = p.center_id
      WHERE ${PATIENT_VISIBLE} AND NOT p.deleted AND ($4::uuid IS NULL OR p.id = $4) AND ($5::uuid IS NULL OR p.center_id = $5)
      ORDER BY p.no IS NOT NULL, c.code, p.no_seq, p.id`,
    values: [...visibleTo(member), patientId, centerId],
  })
  return rows
}

async function pagesOf(
  transaction: Queryable,
  member: Membership,
  ids: readonly string[],
): Promise<readonly (TodoPage & VisitPage & { readonly patientId: string })[]> {
  const { rows } = await transaction.query<TodoPage & { readonly patientId: string }>({
    name: 'visit_pages',
    text: `
      SELECT
        e.patient_id AS "patientId", e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat", e.page_id AS "pageId",
        e.page_repeat AS "pageRepeat", e.status, e.progress,
        EXISTS (SELECT 1 FROM conflict c WHERE c.entry_id = e.id AND c.state = 'open') AS conflicted
      FROM entry e WHERE e.patient_id = ANY ($1) AND e.project_id = $2 AND NOT e.deleted AND ($3::smallint IS NULL OR e.pass = $3)`,
    values: [ids, member.projectId, passParameter(member)],
  })
  return rows
}
