import type { BodyOf, QueryOf } from '#core/api/call.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import { entryId, visitId } from '#core/derivedIds.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import { DEFAULT_MIN_TESTERS } from '#core/study/versionLife.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { addMember, updateMember } from '#server/areas/member/service.ts'
import { addCenter } from '#server/areas/project/centers.ts'
import { changeStatus, createProject, updateConfig } from '#server/areas/project/service.ts'
import { directAct } from '#server/operations/act.ts'
import type { OnlineContext } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'
import { importDefinition } from '#server/areas/version/import.ts'
import { createDraft, publishTest, readVersion, release } from '#server/areas/version/service.ts'
import { withConnection } from '#server/database/transaction.ts'
import { demoPeople } from '#server/demo/accounts.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'
import { changesOf, deriveId, visitRepeatOf } from '#server/demo/changes.ts'
import { casebookOf } from '#server/demo/course/casebook.ts'
import { courseOf } from '#server/demo/course/course.ts'
import { studyDay } from '#server/demo/course/days.ts'
import type { EnteredPage } from '#server/demo/course/entered.ts'
import { roster } from '#server/demo/course/roster.ts'
import type { Subject } from '#server/demo/course/roster.ts'
import { unplannedPagesOf, visitFactsOf } from '#server/demo/course/visitFacts.ts'
import type { SaidOfVisit } from '#server/demo/course/visitFacts.ts'
import { birthOf } from '#server/demo/course/screeningPages.ts'
import { demoDefinition } from '#server/demo/study/definition.ts'
import type { Acted, Actor } from '#server/http/handler.ts'
import type { Write } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

/**
 * The demo study, made by the same services as any other. The key of each step is derived from its name. So an
 * interrupted start is continued where it ended, and nothing is made twice.
 */

const PROJECT = {
  projectName: '示例：芎丹通络胶囊治疗稳定型心绞痛（气滞血瘀证）的随机、双盲、多中心研究',
  projectScopeCode: 'areamultiple',
} as const
const CENTERS = [
  { centerName: '云岭省中医医院', centerCode: '01', planEnrolls: 40 },
  { centerName: '临江市第二中医医院', centerCode: '02', planEnrolls: 40 },
  { centerName: '海宁湾中西医结合医院', centerCode: '03', planEnrolls: 40 },
]
/** The coordinator of each center. */
const COORDINATORS = ['crc', 'crc2', 'crc3'] as const satisfies readonly DemoAccount[]

/** The server is stopping; the next start makes the rest. */
export class Interrupted extends Error {
  constructor() {
    super('the demo was interrupted')
  }
}

interface Study {
  readonly projectId: string
  readonly versionId: string
  readonly centers: readonly string[]
  readonly folders: readonly FolderRow[]
  /** The day on which the study was made. All its days are counted from it, also by a later start that continues. */
  readonly madeOn: string
}

export class DemoMaker {
  readonly #services: Services
  readonly #people: ReadonlyMap<DemoAccount, Actor>
  readonly #stopped: AbortSignal | undefined

  constructor(services: Services, people: ReadonlyMap<DemoAccount, Actor>, stopped?: AbortSignal) {
    this.#services = services
    this.#people = people
    this.#stopped = stopped
  }

  /** @throws Interrupted when it was told to end */
  async make(): Promise<void> {
    const study = await this.#makeStudy()
    // First the subjects are enrolled, so that each gets the number of their place in the list. Then data are entered,
    // for all centers side by side.
    for (const subject of roster) await this.#enrol(study, subject)
    const centers = await Promise.allSettled(CENTERS.map(async (_center, index) => this.#enterPagesOf(study, index)))
    // Only once no coordinator writes any more.
    for (const center of centers) if (center.status === 'rejected') throw center.reason
  }

  async #makeStudy(): Promise<Study> {
    const project = await createProject(this.#write('project.save', 'project', {}, PROJECT), true)
    const centers: string[] = []
    for (const center of CENTERS) {
      const body = { projectId: project.id, ...center }
      centers.push((await addCenter(this.#write('center.save', `center ${center.centerCode}`, {}, body))).id)
    }
    // The study begins with its first release, which nobody is there to test.
    await updateConfig(
      this.#write('project.confUpdate', 'no testers yet', {}, { projectId: project.id, minTesters: 0 }),
    )
    const versionId = await this.#makeVersion(project.id)
    await this.#makeTeam(project.id, centers)
    await updateConfig(
      this.#write('project.confUpdate', 'testers', {}, { projectId: project.id, minTesters: DEFAULT_MIN_TESTERS }),
    )
    await changeStatus(this.#write('project.changeStatus', 'start', { projectId: project.id, status: 'process' }, {}))
    const { folders } = await readVersion({ services: this.#services, actor: this.#setUp(), params: { id: versionId } })
    return { projectId: project.id, versionId, centers, folders, madeOn: await this.#dayOf(project.id) }
  }

  async #dayOf(projectId: string): Promise<string> {
    return withConnection(this.#services.pool, async (connection) => {
      const { rows } = await connection.query<{ at: string }>('SELECT created_at AS at FROM project WHERE id = $1', [
        projectId,
      ])
      return studyDay(rows[0]?.at ?? this.#services.now())
    })
  }

  async #makeVersion(projectId: string): Promise<string> {
    const { id: crfId } = await createDraft(this.#write('version.save', 'version', {}, { projectId, remark: '首版' }))
    const definition = { definition: demoDefinition, sourceName: 'demo', source: JSON.stringify(demoDefinition) }
    await importDefinition(this.#write('version.import', 'definition', { crfId }, definition))
    await publishTest({ ...this.#write('version.releaseTest', 'test', { crfId }, {}), language: 'zh' })
    await release(this.#write('version.release', 'release', { crfId }, {}))
    return crfId
  }

  /** The testers join after the first release, so that they judge the next version. */
  async #makeTeam(projectId: string, centers: readonly string[]): Promise<void> {
    for (const { account, role, center, status } of demoPeople) {
      const own = center === null ? undefined : centers[center]
      const fields = {
        userRole: role,
        type: own === undefined ? 'project' : 'center',
        dataScope: own === undefined ? 'all' : 'center',
        centerIds: own === undefined ? [] : [own],
        entryPass: 1,
        status,
      } as const
      const userId = this.#person(account).userId
      const member = { projectId, userId, ...fields, crfApprove: account === 'tester' ? 1 : 0 } as const
      const { id } = await addMember(this.#write('member.save', `member ${account}`, {}, member))
      // It is a step of its own, so that a run that an older server interrupted finds its answers again.
      if (account === 'dbd')
        await updateMember(
          this.#write('member.update', 'the data manager tests', {}, { id, projectId, ...fields, crfApprove: 1 }),
        )
    }
  }

  async #enrol({ projectId, centers, versionId, madeOn }: Study, subject: Subject): Promise<void> {
    const { name, initials, sex } = subject
    const course = courseOf(subject, madeOn)
    const id = patientIdOf(subject)
    const identity = { name, mobile: null, email: null, birthDate: birthOf(course) }
    const facts = { no: null, mark: id.slice(-4).toUpperCase(), initials, sex, enrolledOn: course.dayOf('SCR') }
    const body = { id, projectId, centerId: centers[subject.center] ?? '', ...facts, identity }
    const context = this.#online(subject, `enrol ${subject.no}`, versionId)
    await takeIn(this.#services, directAct(context, { call: 'patient.save', body, projectId, entityId: id }))
  }

  async #enterPagesOf(study: Study, center: number): Promise<void> {
    for (const subject of roster.filter((one) => one.center === center)) {
      for (const said of visitFactsOf(subject, study.madeOn)) await this.#sayOfVisit(study, subject, said)
      for (const page of [...casebookOf(subject, study.madeOn), ...unplannedPagesOf(subject, study.madeOn)])
        await this.#enter(study, subject, page)
    }
  }

  async #sayOfVisit(
    { projectId, versionId, folders }: Study,
    subject: Subject,
    { folder: code, repeat, ...said }: SaidOfVisit,
  ): Promise<void> {
    const folder = folders.find(({ folderCode }) => folderCode === code)
    if (folder === undefined) throw new RangeError(`the demo has no visit ${code}`)
    const key = {
      patientId: patientIdOf(subject),
      folderId: folder.id,
      folderRepeat: visitRepeatOf(subject.no, code, repeat),
    }
    const id = visitId(key)
    const fields = (['actualDate', 'outcome', 'outcomeReason', 'deviationReason'] as const).map((field) => ({
      field,
      to: said[field] ?? null,
      base: null,
    }))
    const body = { id, projectId, ...key, fields, reason: null }
    const context = this.#online(subject, `visit ${subject.no} ${code} ${repeat}`, versionId)
    await takeIn(this.#services, directAct(context, { call: 'visit.save', body, projectId, entityId: id }))
  }

  /** The first save of a page, and its later corrections. */
  async #enter({ projectId, versionId, folders }: Study, subject: Subject, entered: EnteredPage): Promise<void> {
    const folder = folders.find(({ folderCode }) => folderCode === entered.folder)
    const page = folder?.pages.find(({ pageCode }) => pageCode === entered.page)
    if (folder === undefined || page === undefined)
      throw new RangeError(`the demo has no page ${entered.folder} ${entered.page}`)
    const { visitRepeat = 0 } = entered
    const name = `${subject.no} ${entered.folder} ${entered.page} ${entered.repeat}${visitRepeat === 0 ? '' : ` of ${visitRepeat}`}`
    const folderRepeat = visitRepeatOf(subject.no, entered.folder, visitRepeat)
    const place = { patientId: patientIdOf(subject), folderId: folder.id, folderRepeat, pageId: page.id }
    for (const [step, { change, submit }] of changesOf(name, place, entered).entries()) {
      const context = this.#online(subject, `enter ${name} ${step}`, versionId)
      await takeIn(this.#services, directAct(context, act(change, submit, projectId)))
    }
  }

  #person(account: DemoAccount): Actor {
    const person = this.#people.get(account)
    if (person === undefined) throw new RangeError(`the demo has no ${account}`)
    return person
  }

  /** Only an administrator sets up a project. In the demo the project manager gets that right for it. */
  #setUp(): Actor {
    return { ...this.#person('pm'), isAdmin: true }
  }

  #write<
    Id extends
      | 'project.save'
      | 'project.confUpdate'
      | 'project.changeStatus'
      | 'center.save'
      | 'member.save'
      | 'member.update'
      | (`version.${string}` & CallId),
  >(
    call: Id,
    step: string,
    query: QueryOf<CallOf<Id>>,
    body: BodyOf<CallOf<Id>>,
  ): Pick<Write<Id>, 'call' | 'services' | 'acted' | 'ip' | 'key' | 'protocol' | 'query' | 'body'> & {
    readonly actor: Actor
  } {
    const base = { services: this.#services, acted: this.#acted(), ip: '', protocol: null }
    return { ...base, call, actor: this.#setUp(), key: this.#keyOf(step), query, body }
  }

  #online(subject: Subject, step: string, crfId: string): OnlineContext {
    const base = { services: this.#services, acted: this.#acted(), ip: '', protocol: null, language: 'zh' } as const
    return { ...base, actor: this.#person(COORDINATORS[subject.center]), key: this.#keyOf(step), crfId, pass: 1 }
  }

  #keyOf(step: string): string {
    if (this.#stopped?.aborted === true) throw new Interrupted()
    return deriveId(`step ${step}`)
  }

  #acted(): Acted {
    return { at: this.#services.now(), offsetMinutes: 480, driftMs: null, deviceId: null, appVersion: null }
  }
}

function act(change: EntryChange, submit: boolean, projectId: string) {
  return {
    call: submit ? 'entry.submit' : 'entry.save',
    body: change,
    projectId,
    entityId: entryId(change.target),
  } as const
}

function patientIdOf({ no }: Subject): string {
  return deriveId(`patient ${no}`)
}
