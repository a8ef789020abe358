import type { GapCheck } from '#core/api/calls/review/double.ts'
import type { TreeFolder } from '#core/api/calls/version.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { Client, TestServer } from '#tests/server/support/app.ts'
import {
  addCenter,
  changeStatus,
  createProject,
  joinAs,
  releaseFirst,
  unnamedPatient,
} from '#tests/server/support/project.ts'
import { change } from '#tests/server/support/world.ts'

/** A project that is entered twice, with a patient whom two coordinators have weighed differently. */
export interface Doubled {
  readonly projectId: string
  readonly patientId: string
  /** Who merges. */
  readonly manager: Client
  /** Who has the first pass. */
  readonly first: Client
  readonly check: () => Promise<GapCheck>
}

export async function doubledPatient(
  server: TestServer,
  admin: Client,
  { entered = true }: { readonly entered?: boolean } = {},
): Promise<Doubled> {
  const { id: projectId } = await createProject(admin)
  const { id: centerId } = await addCenter(admin, projectId, 'N01')
  const crfId = await releaseFirst(admin, projectId)
  await admin.get('project.confUpdate', { body: { projectId, isDouble: 1, isFilterPeriod: 'N', minTesters: 0 } })
  await changeStatus(admin, projectId, 'process')
  const center = { dataScope: 'center', centerIds: [centerId] }
  const { client: first } = await joinAs(server, admin, projectId, `one${newId()}`, 'CRC', center)
  const { client: second } = await joinAs(server, admin, projectId, `two${newId()}`, 'CRC', { ...center, entryPass: 2 })
  const { client: manager } = await joinAs(server, admin, projectId, `dm${newId()}`, 'DBD')
  const patientId = newId()
  await first.get('patient.save', {
    body: unnamedPatient(projectId, centerId, { id: patientId }),
  })
  const [folder] = await first.get<readonly TreeFolder[]>('version.tree', { params: { id: crfId } })
  const page = folder?.crfPageVOList[0]
  if (folder === undefined || page === undefined) throw new Error('the version has no page')
  for (const [who, pass, weight] of [
    [first, 1, 65],
    [second, 2, 56],
  ] as const) {
    if (!entered) continue
    const target = {
      patientId,
      folderId: folder.id,
      folderRepeat: '0',
      pageId: page.id,
      pageRepeat: '0',
      parentEntryId: null,
      pass,
    }
    await who.get('entry.save', {
      params: { id: entryId(target) },
      body: change(target, { weight }),
      headers: { projectId, crfId, doubleSeqNo: String(pass) },
    })
  }
  const headers = { projectId, crfId }
  return {
    projectId,
    patientId,
    manager,
    first,
    check: () => manager.get<GapCheck>('double.gapCheck', { params: { id: patientId }, headers }),
  }
}
