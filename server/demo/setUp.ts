import type { DefinitionInput } from '#core/api/calls/design.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { DEFAULT_MIN_TESTERS } from '#core/study/versionLife.ts'
import { addMember, updateMember } from '#server/areas/member/service.ts'
import { addCenter } from '#server/areas/project/centers.ts'
import { changeStatus, createProject, updateConfig } from '#server/areas/project/service.ts'
import { submitFast } from '#server/areas/projectDict/service.ts'
import { importDefinition } from '#server/areas/version/import.ts'
import { createDraft, publishTest, readVersion, release } from '#server/areas/version/service.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'
import { studyDay } from '#server/demo/course/days.ts'
import type { DemoHand } from '#server/demo/hand.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'

/** A study of the demo before its first subject: project, centers, dictionaries, the released casebook, the team. */

/** A member of a study. `center` is the index of their center; null is the whole project. */
export interface TeamMember {
  readonly account: DemoAccount
  readonly role: ProjectRole
  readonly center: number | null
  readonly status: 'active' | 'pause'
  /** Which pass of double entry the member enters. */
  readonly pass?: 1 | 2
}

export interface StudyPlan {
  /** What the steps of this study begin with. The first study has nothing there. */
  readonly steps: string
  readonly project: { readonly projectName: string; readonly projectScopeCode: 'areamultiple' | 'areasingle' }
  readonly centers: readonly {
    readonly centerName: string
    readonly centerCode: string
    readonly planEnrolls: number
  }[]
  readonly isDouble: 0 | 1
  readonly dictionaries: readonly {
    readonly code: string
    readonly dictValue: string
    readonly labelEn: string
    readonly children: { readonly dictKey: string; readonly dictValue: string; readonly labelEn: string }[]
  }[]
  readonly remark: string
  readonly definition: DefinitionInput
  readonly team: readonly TeamMember[]
  /** Who tries out the next version. */
  readonly testers: readonly DemoAccount[]
}

export interface MadeStudy {
  readonly projectId: string
  readonly versionId: string
  readonly centers: readonly string[]
  readonly folders: readonly FolderRow[]
  /** The day on which the study was made. All its days are counted from it, also by a later start that continues. */
  readonly madeOn: string
}

/** The ids of a page of the study at a visit. @throws RangeError where the demo has none */
export function pageAt(
  { folders }: Pick<MadeStudy, 'folders'>,
  folderCode: string,
  pageCode: string,
): { readonly folderId: string; readonly pageId: string } {
  const folder = folders.find((one) => one.folderCode === folderCode)
  const page = folder?.pages.find((one) => one.pageCode === pageCode)
  if (folder === undefined || page === undefined) throw new RangeError(`the demo has no page ${folderCode} ${pageCode}`)
  return { folderId: folder.id, pageId: page.id }
}

/** A page of a patient where it stands once, in the first pass. @throws RangeError where the demo has none */
export function targetAt(
  study: Pick<MadeStudy, 'folders'>,
  patientId: string,
  folderCode: string,
  pageCode: string,
): EntryTarget {
  const { folderId, pageId } = pageAt(study, folderCode, pageCode)
  return {
    patientId,
    folderId,
    folderRepeat: FIRST_REPEAT,
    pageId,
    pageRepeat: FIRST_REPEAT,
    parentEntryId: null,
    pass: 1,
  }
}

/** @throws Interrupted when the server is stopping */
export async function setUpStudy(hand: DemoHand, plan: StudyPlan): Promise<MadeStudy> {
  const { steps } = plan
  const project = await createProject(hand.write('project.save', `${steps}project`, {}, plan.project), true)
  const centers: string[] = []
  for (const center of plan.centers) {
    const body = { projectId: project.id, ...center }
    centers.push((await addCenter(hand.write('center.save', `${steps}center ${center.centerCode}`, {}, body))).id)
  }
  // The study begins with its first release, which nobody is there to test.
  await updateConfig(
    hand.write('project.confUpdate', `${steps}no testers yet`, {}, { projectId: project.id, minTesters: 0 }),
  )
  for (const dictionary of plan.dictionaries)
    await submitFast(
      hand.write(
        'projectDict.fastSubmit',
        `${steps}dictionary ${dictionary.code}`,
        {},
        { projectId: project.id, ...dictionary },
      ),
    )
  const versionId = await makeVersion(hand, plan, project.id)
  await makeTeam(hand, plan, project.id, centers)
  await updateConfig(
    hand.write(
      'project.confUpdate',
      `${steps}testers`,
      {},
      {
        projectId: project.id,
        minTesters: DEFAULT_MIN_TESTERS,
        ...(plan.isDouble === 1 ? { isDouble: plan.isDouble } : {}),
      },
    ),
  )
  await changeStatus(
    hand.write('project.changeStatus', `${steps}start`, { projectId: project.id, status: 'process' }, {}),
  )
  const { folders } = await readVersion({ services: hand.services, actor: hand.setUp(), params: { id: versionId } })
  return { projectId: project.id, versionId, centers, folders, madeOn: await dayOf(hand, project.id) }
}

async function dayOf({ services }: DemoHand, projectId: string): Promise<string> {
  return withConnection(services.pool, async (connection) => {
    const { rows } = await connection.query<{ at: string }>('SELECT created_at AS at FROM project WHERE id = $1', [
      projectId,
    ])
    return studyDay(rows[0]?.at ?? services.now())
  })
}

async function makeVersion(
  hand: DemoHand,
  { steps, remark, definition }: StudyPlan,
  projectId: string,
): Promise<string> {
  const { id: crfId } = await createDraft(hand.write('version.save', `${steps}version`, {}, { projectId, remark }))
  const body = { definition, sourceName: 'demo', source: JSON.stringify(definition) }
  await importDefinition(hand.write('version.import', `${steps}definition`, { crfId }, body))
  await publishTest({ ...hand.write('version.releaseTest', `${steps}test`, { crfId }, {}), language: 'zh' })
  await release(hand.write('version.release', `${steps}release`, { crfId }, {}))
  return crfId
}

/** The testers join after the first release, so that they judge the next version. */
async function makeTeam(
  hand: DemoHand,
  { steps, team, testers }: StudyPlan,
  projectId: string,
  centers: readonly string[],
): Promise<void> {
  for (const { account, role, center, status, pass = 1 } of team) {
    const own = center === null ? undefined : centers[center]
    const fields = {
      userRole: role,
      type: own === undefined ? 'project' : 'center',
      dataScope: own === undefined ? 'all' : 'center',
      centerIds: own === undefined ? [] : [own],
      entryPass: pass,
      status,
    } as const
    const userId = hand.person(account).userId
    const tests = testers.includes(account)
    const crfApprove = tests && account !== 'dbd' ? 1 : 0
    const { id } = await addMember(
      hand.write('member.save', `${steps}member ${account}`, {}, { projectId, userId, ...fields, crfApprove }),
    )
    // It is a step of its own, so that a run that an older server interrupted finds its answers again.
    if (tests && account === 'dbd')
      await updateMember(
        hand.write('member.update', `${steps}the data manager tests`, {}, { id, projectId, ...fields, crfApprove: 1 }),
      )
  }
}
