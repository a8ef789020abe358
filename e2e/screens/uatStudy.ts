import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { DefinitionInput } from '#core/api/calls/design.ts'
import type { TreeFolder } from '#core/api/calls/version.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { OWN_PASSWORD, callAt, makeAccount } from './study.ts'
import type { MadeStudy, Office } from './study.ts'

/** A study in process whose only version is in test: its tester has filled in the first page. */
export async function makeUat(
  office: Office,
  definition: DefinitionInput,
): Promise<Pick<MadeStudy, 'projectId' | 'versionId'>> {
  const { address, admin } = office
  const userId = await makeAccount(office, 'screens-tester', '试填者', true)
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: '正在测试的研究', projectScopeCode: 'areamultiple' },
  })
  await admin.call('member.save', {
    body: {
      projectId,
      userId,
      userRole: 'CRC',
      type: 'project',
      dataScope: 'all',
      centerIds: [],
      crfApprove: 1,
      status: 'active',
    },
  })
  const { id: versionId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })
  await admin.call('version.import', {
    query: { crfId: versionId },
    body: { definition, sourceName: 'screens', source: 'screens' },
  })
  await admin.call('version.releaseTest', { query: { crfId: versionId } })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const [folder] = await callAt<readonly TreeFolder[]>(address, admin, 'version.tree', versionId, null)
  const place = {
    folderId: folder?.id ?? '',
    folderRepeat: FIRST_REPEAT,
    pageId: folder?.crfPageVOList[0]?.crfPageId ?? '',
    pageRepeat: FIRST_REPEAT,
  }
  const tester = await signInByApi(address, 'screens-tester', OWN_PASSWORD)
  await tester.call('trial.save', {
    query: { crfId: versionId },
    body: { subject: 1, ...place, rev: 0, values: { age: 61 }, missing: {} },
  })
  return { projectId, versionId }
}
