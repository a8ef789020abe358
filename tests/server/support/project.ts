import { newId } from '#core/ids.ts'
import type { PatientEnrolment } from '#core/api/calls/patient.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import type { Client, TestServer } from '#tests/server/support/app.ts'

/** Setting up a project over the API, as administrators do. */

export async function createProject(admin: Client, projectName = '研究'): Promise<ProjectRow> {
  return admin.get<ProjectRow>('project.save', {
    body: { projectName, projectScopeCode: 'areamultiple', minTesters: 0 },
  })
}

export async function changeStatus(by: Client, projectId: string, status: string): Promise<void> {
  await by.get('project.changeStatus', { query: { projectId, status } })
}

export async function addCenter(admin: Client, projectId: string, centerCode: string): Promise<CenterRow> {
  return admin.get<CenterRow>('center.save', { body: { projectId, centerName: `中心${centerCode}`, centerCode } })
}

/** What a member form sends. */
export function memberFields(userRole: ProjectRole, centerIds: readonly string[] = []): Record<string, unknown> {
  return { userRole, type: 'center', dataScope: centerIds.length > 0 ? 'center' : 'all', centerIds, status: 'active' }
}

/** Makes an account, adds it to the project, and signs it in. */
export async function joinAs(
  server: TestServer,
  admin: Client,
  projectId: string,
  account: string,
  role: ProjectRole,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly client: Client; readonly userId: string; readonly memberId: string }> {
  const userId = await server.makeUser(account)
  const { id } = await admin.get<{ id: string }>('member.save', {
    body: { projectId, userId, ...memberFields(role), ...more },
  })
  return { client: await server.signIn(account), userId, memberId: id }
}

/** A patient of whom nothing is known but a mark, as the form of enrolment sends one. */
export function unnamedPatient(
  projectId: string,
  centerId: string,
  { id = newId(), mobile = null }: { readonly id?: string; readonly mobile?: string | null } = {},
): PatientEnrolment {
  const identity = { name: null, mobile, email: null, birthDate: null }
  return { id, projectId, centerId, no: null, mark: '7F3A', initials: null, sex: null, enrolledOn: null, identity }
}

/** A small definition: one visit with one page of these columns. */
export function definitionOf(column: readonly object[]): { definition: object; sourceName: string; source: string } {
  const option = JSON.stringify({ column })
  const folders = [
    {
      folderName: '筛选期',
      folderCode: 'V1',
      pages: [{ pageName: '体征', pageCode: 'VS', repeatable: false, option }],
    },
  ]
  return { definition: { folders }, sourceName: 'form.csv', source: 'a,b' }
}

export const SOUND = definitionOf([{ prop: 'weight', label: '体重', type: 'number' }])

/** Takes a project's first version to its release. Returns its id. */
export async function releaseFirst(admin: Client, projectId: string): Promise<string> {
  const { id: crfId } = await admin.get<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })
  await admin.get('version.import', { query: { crfId }, body: SOUND })
  await admin.get('version.releaseTest', { query: { crfId } })
  await admin.get('version.release', { query: { crfId } })
  return crfId
}
