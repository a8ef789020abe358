import type { EntryRow, PatientRow, VersionRow } from '#core/api/sync/rows.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { Demo } from './demo.ts'
import { DEMO_PASSWORD } from './demoData.ts'

/**
 * Of the coordinator's patients the one who was enrolled first, and the weight that the server has of their first
 * visit.
 */
export async function firstEnrolled({
  server,
  projectId,
  versionId,
}: Demo): Promise<{ readonly no: string; readonly weight: number }> {
  const address = `http://127.0.0.1:${server.port}`
  const coordinator = await signInByApi(address, 'crc', DEMO_PASSWORD)
  const { records } = await coordinator.call<{ records: PatientRow[] }>('patient.list', {
    query: { projectId, size: '500' },
  })
  const first = records.toSorted((a, b) => (a.id < b.id ? -1 : 1))[0]
  if (first === undefined) throw new Error('the coordinator has no patients')
  const read = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${address}/api/edc/data/crf/${path}`, {
      headers: { ...coordinator.headers, projectId },
    })
    return ((await response.json()) as { data: Data }).data
  }
  const { folders } = await read<VersionRow>(`${versionId}/detail`)
  const folder = folders.find(({ folderCode }) => folderCode === 'SCR')
  const page = folder?.pages.find(({ pageCode }) => pageCode === 'VS')
  const entries = await read<EntryRow[]>(`patient/data/list?patientId=${first.id}`)
  const vitals = entries.find(({ folderId, pageId }) => folderId === folder?.id && pageId === page?.id)
  const weight = vitals?.values['weight']
  if (first.no === null || typeof weight !== 'number')
    throw new Error('of the patient who was enrolled first nothing is known')
  return { no: first.no, weight }
}
