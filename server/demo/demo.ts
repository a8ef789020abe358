import { v5 } from 'uuid'
import type { BodyOf, QueryOf } from '#core/api/call.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import { entryId, FIRST_REPEAT } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import type { FolderRow } from '#core/sync/rows.ts'
import { addMember } from '#server/areas/member/service.ts'
import { addCenter } from '#server/areas/project/centers.ts'
import { changeStatus, createProject } from '#server/areas/project/service.ts'
import { directAct } from '#server/areas/sync/act.ts'
import type { OnlineContext } from '#server/areas/sync/act.ts'
import { take } from '#server/areas/sync/take.ts'
import { createDraft, importDefinition, publishTest, readVersion, release } from '#server/areas/version/service.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { demoPeople, ensureDemoAccounts } from '#server/demo/accounts.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'
import { demoDefinition } from '#server/demo/form.ts'
import { demoPatients } from '#server/demo/patients.ts'
import type { DemoPatient } from '#server/demo/patients.ts'
import type { Acted, Actor } from '#server/http/handler.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

/**
 * The demo study, made by the same services as any other. Each step has a key that is derived from its name, so that a start that was
 * interrupted is taken up where it ended and nothing is made twice.
 */

const DEMO_NAMESPACE = '0b9f4f4e-6f2a-5f0e-8d51-9d1c7b1f6a70'
const CENTERS = [
  { centerName: '第一中医医院', centerCode: '01', planEnrolls: 30 },
  { centerName: '第二中医医院', centerCode: '02', planEnrolls: 30 },
]

export async function ensureDemo(services: Services): Promise<void> {
  if (await isMade(services)) return
  const people = await ensureDemoAccounts(services)
  if (people === null) {
    services.log.warn('no demo: one of its account names is taken')
    return
  }
  await new DemoMaker(services, people).make()
  await withTransaction(services.pool, async (transaction) => {
    await transaction.query(`INSERT INTO setting (key, value) VALUES ('demo', 'true') ON CONFLICT (key) DO NOTHING`)
    await commitSystem(transaction, serverStamp(services), [{ action: 'demo.create' }])
  })
}

async function isMade(services: Services): Promise<boolean> {
  return withConnection(services.pool, async (connection) => {
    const { rowCount } = await connection.query(`SELECT FROM setting WHERE key = 'demo'`)
    return rowCount === 1
  })
}

class DemoMaker {
  readonly #services: Services
  readonly #people: ReadonlyMap<DemoAccount, Actor>

  constructor(services: Services, people: ReadonlyMap<DemoAccount, Actor>) {
    this.#services = services
    this.#people = people
  }

  async make(): Promise<void> {
    const project = await createProject(
      this.#write('project.save', 'project', {}, { projectName: '示例：益气活血方治疗稳定型心绞痛的随机对照研究', projectScopeCode: 'areamultiple' }),
      true,
    )
    const centers: string[] = []
    for (const center of CENTERS) {
      const body = { projectId: project.id, ...center }
      centers.push((await addCenter(this.#write('center.save', `center ${center.centerCode}`, {}, body))).id)
    }
    const versionId = await this.#makeVersion(project.id)
    await this.#makeTeam(project.id, centers)
    await changeStatus(this.#write('project.changeStatus', 'start', { projectId: project.id, status: 'process' }, {}))
    const { folders } = await readVersion({ services: this.#services, actor: this.#setUp(), params: { id: versionId } })
    for (const [index, patient] of demoPatients.entries()) {
      await this.#enrol(patient, { projectId: project.id, centers, versionId, folders, patientId: derived(`patient ${index}`) })
    }
  }

  async #makeVersion(projectId: string): Promise<string> {
    const { id: crfId } = await createDraft(this.#write('version.save', 'version', {}, { projectId, remark: '首版' }))
    const definition = { definition: demoDefinition, sourceName: 'demo', source: JSON.stringify(demoDefinition) }
    await importDefinition(this.#write('version.import', 'definition', { crfId }, definition))
    await publishTest({ ...this.#write('version.releaseTest', 'test', { crfId }, {}), language: 'zh' })
    await release(this.#write('version.release', 'release', { crfId }, {}))
    return crfId
  }

  /** The tester joins after the first release: the next version is theirs to judge. */
  async #makeTeam(projectId: string, centers: readonly string[]): Promise<void> {
    for (const { account, role, center } of demoPeople) {
      const own = center === null ? undefined : centers[center]
      await addMember(
        this.#write('member.save', `member ${account}`, {}, {
          projectId,
          userId: this.#person(account).userId,
          userRole: role,
          type: own === undefined ? 'project' : 'center',
          dataScope: own === undefined ? 'all' : 'center',
          centerIds: own === undefined ? [] : [own],
          entryPass: 1,
          crfApprove: account === 'tester' ? 1 : 0,
          status: 'active',
        }),
      )
    }
  }

  async #enrol(
    patient: DemoPatient,
    at: {
      readonly projectId: string
      readonly centers: readonly string[]
      readonly versionId: string
      readonly folders: readonly FolderRow[]
      readonly patientId: string
    },
  ): Promise<void> {
    const { projectId, patientId, versionId } = at
    const crc = this.#person(patient.center === 0 ? 'crc' : 'crc2')
    const { initials, sex, enrolledOn, name } = patient
    const identity = { name, mobile: null, email: null, birthDate: null }
    const centerId = at.centers[patient.center] ?? ''
    const body = { id: patientId, projectId, centerId, no: null, mark: patientId.slice(-4).toUpperCase(), initials, sex, enrolledOn, identity }
    const enrolment = { call: 'patient.save', body, projectId, entityId: patientId } as const
    await take(this.#services, directAct(this.#online(crc, `enrol ${patientId}`, versionId), enrolment))
    for (const { folder: folderCode, page: pageCode, values, submit } of patient.pages) {
      const folder = at.folders.find((candidate) => candidate.folderCode === folderCode)
      const page = folder?.pages.find((candidate) => candidate.pageCode === pageCode)
      if (folder === undefined || page === undefined) continue
      const change = entryOf(patientId, folder.id, page.id, values)
      const act = { call: submit ? 'entry.submit' : 'entry.save', body: change, projectId, entityId: entryId(change.target) } as const
      await take(this.#services, directAct(this.#online(crc, `${folderCode} ${pageCode} ${patientId}`, versionId), act))
    }
  }

  #person(account: DemoAccount): Actor {
    const person = this.#people.get(account)
    if (person === undefined) throw new RangeError(`the demo has no ${account}`)
    return person
  }

  /** Setting up a project is an administrator's act; in the demo the project manager is lent that right for it. */
  #setUp(): Actor {
    return { ...this.#person('pm'), isAdmin: true }
  }

  #write<Id extends 'project.save' | 'project.changeStatus' | 'center.save' | 'member.save' | `version.${string}` & CallId>(
    call: Id,
    step: string,
    query: QueryOf<CallOf<Id>>,
    body: BodyOf<CallOf<Id>>,
  ): Pick<Write<Id>, 'call' | 'services' | 'acted' | 'ip' | 'key' | 'protocol' | 'query' | 'body'> & { readonly actor: Actor } {
    const base = { services: this.#services, acted: this.#acted(), ip: '', protocol: null }
    return { ...base, call, actor: this.#setUp(), key: derived(`step ${step}`), query, body }
  }

  #online(actor: Actor, step: string, crfId: string): OnlineContext {
    const base = { services: this.#services, acted: this.#acted(), ip: '', protocol: null, language: 'zh' } as const
    return { ...base, actor, key: derived(`step ${step}`), crfId, pass: 1 }
  }

  #acted(): Acted {
    return { at: this.#services.now(), offsetMinutes: 480, driftMs: null, deviceId: null, appVersion: null }
  }
}

function entryOf(patientId: string, folderId: string, pageId: string, values: Readonly<Record<string, JsonValue>>): EntryChange {
  return {
    target: { patientId, folderId, folderRepeat: FIRST_REPEAT, pageId, pageRepeat: FIRST_REPEAT, parentEntryId: null, pass: 1 },
    items: Object.entries(values).map(([code, value]) => ({
      table: null,
      rid: null,
      code,
      to: { value, missing: null },
      base: EMPTY_ITEM,
      isShow: 1,
      reason: null,
    })),
    rows: [],
    journal: [],
    seen: null,
  }
}

/** The id or key of a part of the demo. */
function derived(name: string): string {
  return v5(name, DEMO_NAMESPACE)
}
