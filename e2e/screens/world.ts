import type { Browser } from '@playwright/test'
import { headers } from '#core/api/headers.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { startDemo } from '../support/demo.ts'
import { ADMIN_PASSWORD, DEMO_PASSWORD } from '../support/demoData.ts'
import { longestTexts } from './samples.ts'
import { Seat, WAIT_MS } from './seats.ts'
import { makeUat } from './uatStudy.ts'
import {
  FIRST_PASSWORD,
  OWN_PASSWORD,
  attachPicture,
  changeValue,
  enrolByApi,
  findPage,
  makeAccount,
  makeStudy,
} from './study.ts'
import type { MadeStudy, Office } from './study.ts'

/** One server with everything that a screen can show, and the people who look at it, each at a device of their own. */

/** A way to patients that nobody answers on: what is sent stays on its way. */
const GATEWAY = { ZHENGLU_SMS_URL: 'http://127.0.0.1:9/', ZHENGLU_SMS_TOKEN: 'nobody' }

/**
 * Who sits where. `guest` is nobody yet, `stranger` is a guest whose network goes away, `newcomer` has to choose a
 * password, `keeper` keeps the center on the device, `locked` has locked it, `ended` is at an open page whose sign-in
 * has ended, `nobody` has no project, `starter` has one without patients, `tester` tries a version in test, `long` has
 * one with the longest names.
 */
export const people = [
  'guest',
  'stranger',
  'newcomer',
  'keeper',
  'locked',
  'ended',
  'cra',
  'pm',
  'dbd',
  'admin',
  'nobody',
  'starter',
  'tester',
  'long',
] as const
export type Who = (typeof people)[number]

/** Where things of the demo are. */
export interface Places {
  readonly projectId: string
  readonly versionId: string
  /** With values on its screening pages, and a conflict in the vital signs. */
  readonly patientId: string
  readonly vitals: string
  readonly demography: string
  /** Where the tongue is looked at, with a photograph that the server has. */
  readonly tongue: string
  readonly fileId: string
  readonly conflict: { readonly entryId: string; readonly conflictId: string }
  /** Enrolled, and nothing is entered of them. */
  readonly freshPatientId: string
  readonly freshVitals: string
  readonly empty: MadeStudy
  /** A study whose first version is in test, and was tried out in part. */
  readonly uat: Pick<MadeStudy, 'projectId' | 'versionId'>
  /** A study with the longest names there are; null where the samples are missing. */
  readonly long: (MadeStudy & { readonly patientId: string; readonly entries: readonly string[] }) | null
}

export class World {
  readonly places: Places
  readonly #server: RunningServer
  readonly #browser: Browser
  readonly #seats = new Map<Who, Promise<Seat>>()

  private constructor(server: RunningServer, browser: Browser, places: Places) {
    this.#server = server
    this.#browser = browser
    this.places = places
  }

  static async start(browser: Browser): Promise<World> {
    const { server } = await startDemo(GATEWAY)
    try {
      return new World(server, browser, await furnish(`http://127.0.0.1:${server.port}`))
    } catch (error) {
      await server.dispose()
      throw error
    }
  }

  /** Somebody at their device, signed in at the first call. */
  seat(who: Who): Promise<Seat> {
    const taken = this.#seats.get(who) ?? this.#take(who)
    this.#seats.set(who, taken)
    return taken
  }

  async #take(who: Who): Promise<Seat> {
    const seat = await Seat.take(this.#browser, this.#server.port)
    await this.#settle(seat, who)
    return seat
  }

  async leave(who: Who): Promise<void> {
    await (await this.#seats.get(who))?.leave()
    this.#seats.delete(who)
  }

  async stop(): Promise<void> {
    for (const who of this.#seats.keys()) await this.leave(who)
    await this.#server.dispose()
  }

  /** The address of the demo's version, with what comes below it. */
  inVersion(path: string): string {
    return `/p/${this.places.projectId}/v/${this.places.versionId}/${path}`
  }

  async #settle(seat: Seat, who: Who): Promise<void> {
    const { page } = seat
    switch (who) {
      case 'guest':
        return seat.load('/login')
      case 'stranger':
        await seat.load('/login')
        await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
        await page.reload()
        return undefined
      case 'newcomer':
        return seat.signIn('screens-new', FIRST_PASSWORD, '/projects')
      case 'nobody':
        return seat.signIn('screens-nobody', OWN_PASSWORD, '/projects')
      case 'starter':
        return seat.signIn('screens-starter', OWN_PASSWORD, '/projects')
      case 'tester':
        return seat.signIn('screens-tester', OWN_PASSWORD, '/projects')
      case 'long':
        return this.#keep(
          seat,
          'screens-long',
          OWN_PASSWORD,
          `/p/${this.places.long?.projectId ?? ''}/v/${this.places.long?.versionId ?? ''}/patients`,
        )
      case 'admin':
        return seat.signIn('admin', ADMIN_PASSWORD, '/projects')
      case 'cra':
      case 'pm':
      case 'dbd':
        return seat.signIn(who, DEMO_PASSWORD, '/projects')
      case 'keeper':
        return this.#keep(seat, 'crc', DEMO_PASSWORD, this.inVersion('patients'))
      case 'locked':
        await seat.signIn('crc3', DEMO_PASSWORD, '/projects')
        await page.getByRole('button', { name: /用户菜单/ }).click()
        await page.getByRole('button', { name: '锁定', exact: true }).click()
        await page.getByRole('dialog', { name: '设置锁屏密码' }).locator('input').first().fill('2468')
        await page.getByRole('dialog', { name: '设置锁屏密码' }).locator('button[type=submit]').click()
        return page.waitForURL('**/lock*')
      case 'ended': {
        await seat.signIn('pi', DEMO_PASSWORD, this.inVersion('patients'))
        const database = await openServerDatabase(this.#server.dataDir)
        await database.query(
          `UPDATE session SET ended_at = now() WHERE ended_at IS NULL AND user_id = (SELECT id FROM app_user WHERE account = 'pi')`,
        )
        await database.end()
      }
    }
  }

  /** Keeps the center on the device, with the app's own files, so that both are there without a network. */
  async #keep(seat: Seat, account: string, password: string, patients: string): Promise<void> {
    const { page } = seat
    await seat.signIn(account, password, patients)
    await page.getByRole('button', { name: '下载到本设备，离线可用' }).click()
    await page.getByRole('button', { name: '下载到本设备，离线可用' }).waitFor({ state: 'detached' })
    await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
    await page.reload()
    await seat.unlock(password)
    await page
      .getByText(/已同步 \d/)
      .first()
      .waitFor({ timeout: 2 * WAIT_MS })
  }
}

const EMPTY_FORM = {
  folders: [
    {
      folderName: '筛选期',
      folderCode: 'SCR',
      pages: [
        {
          pageName: '人口学',
          pageCode: 'DM',
          repeatable: false,
          option: JSON.stringify({ column: [{ prop: 'age', label: '年龄', type: 'number' }] }),
        },
      ],
    },
  ],
}

/** 60 characters and more, as the names of hospitals and people can have. */
const LONG_CENTER =
  '广西壮族自治区某某市中西医结合医院暨某某中医药大学附属第三临床医学院国家中医临床研究基地心血管病区（东院区）国际医疗部'
const LONG_NAME = 'Maria-Magdalena Konstantinopolitanskaya-Vandenberghe de la Fuente y Montemayor (Coordinadora)'

/**
 * What the demo lacks: a study without patients, people without a project or a password of their own, two values for
 * one field.
 */
async function furnish(address: string): Promise<Places> {
  const office: Office = { address, admin: await signInByApi(address, 'admin', ADMIN_PASSWORD) }
  const { admin } = office
  const projects = await admin.call<{ records: readonly { id: string }[] }>('project.list')
  const projectId = projects.records[0]?.id ?? ''
  const versions = await admin.call<{ records: readonly { id: string }[] }>('version.list', { query: { projectId } })
  const versionId = versions.records[0]?.id ?? ''
  const patientOf = async (no: string): Promise<string> => {
    const { records } = await admin.call<{ records: readonly { id: string }[] }>('patient.list', {
      query: { projectId, no },
    })
    return records[0]?.id ?? ''
  }
  const [patientId, freshPatientId] = [await patientOf('01-002'), await patientOf('01-024')]
  const vitals = await findPage(office, versionId, patientId, 'VS')
  const crc = await signInByApi(address, 'crc', DEMO_PASSWORD)
  const tester = await signInByApi(address, 'tester', DEMO_PASSWORD)
  await changeValue({ address, projectId, versionId }, crc, vitals, 'pulse', 70, 71)
  await changeValue({ address, projectId, versionId }, tester, vitals, 'pulse', 70, 77)
  const conflicts = await admin.call<{ records: readonly { id: string; entryId: string }[] }>('conflict.list', {
    query: { projectId, state: 'open' },
  })
  const [conflict] = conflicts.records
  if (conflict === undefined) throw new Error('The two values made no conflict')

  const tongue = await findPage(office, versionId, patientId, 'TCM')
  const fileId = await attachPicture({ address, projectId, versionId }, crc, tongue, 'tongue_photo')
  await crc.call('attachment.regionSave', {
    params: { id: fileId },
    body: {
      regionId: newId(),
      rev: null,
      table: null,
      rid: null,
      code: 'tongue_colour',
      rect: { x: 0.3, y: 0.25, width: 0.4, height: 0.5 },
      note: '舌体中部',
    },
    more: { [headers.projectId]: projectId },
  })
  await crc.call('patient.sendNotice', {
    body: { projectId, pushType: 'note', content: '请于周五上午来院复诊，并带上用药日记。', patientIds: [patientId] },
  })
  const { records: members } = await admin.call<{ records: readonly { id: string; userRole: string }[] }>(
    'member.list',
    { query: { projectId } },
  )
  const memIds = members.filter(({ userRole }) => userRole === 'DBD').map(({ id }) => id)
  for (const assigned of [patientId, freshPatientId])
    await crc.call('patient.memberSave', {
      body: { patientId: assigned, memIds },
      more: { [headers.projectId]: projectId, [headers.notify]: 'true' },
    })
  await makeDictionaries(admin, projectId)
  await planReview(await signInByApi(address, 'dbd', DEMO_PASSWORD), projectId, vitals.pageId)
  const starter = await makePeople(office)
  const empty = await makeStudy(office, {
    projectName: '刚刚立项的研究',
    centerName: '北京一院',
    definition: EMPTY_FORM,
    coordinators: [starter],
  })
  return {
    projectId,
    versionId,
    patientId,
    vitals: entryId(vitals),
    demography: entryId(await findPage(office, versionId, patientId, 'DM')),
    tongue: entryId(tongue),
    fileId,
    conflict: { entryId: conflict.entryId, conflictId: conflict.id },
    freshPatientId,
    freshVitals: entryId({ ...vitals, patientId: freshPatientId }),
    empty,
    uat: await makeUat(office, EMPTY_FORM),
    long: await makeLongStudy(office),
  }
}

/** People without a password of their own, without a project, and one who has one; gives the id of the last. */
async function makePeople(office: Office): Promise<string> {
  await makeAccount(office, 'screens-new', '新来者', false)
  await makeAccount(office, 'screens-nobody', '无项目者', true)
  return makeAccount(office, 'screens-starter', '方始者', true)
}

async function makeLongStudy(office: Office): Promise<Places['long']> {
  const texts = longestTexts()
  if (texts === null) return null
  const member = await makeAccount(office, 'screens-long', LONG_NAME, true)
  const made = await makeStudy(office, {
    projectName: texts.projectName,
    centerName: LONG_CENTER,
    definition: texts.definition,
    coordinators: [member],
  })
  const user = await signInByApi(office.address, 'screens-long', OWN_PASSWORD)
  const patientId = await enrolByApi(user, made, 'WWWWMMMM')
  const targets = await Promise.all(texts.pages.map(({ code }) => findPage(office, made.versionId, patientId, code)))
  return { ...made, patientId, entries: targets.map((target) => entryId(target)) }
}

/** What the monitors verify; for the data review there is no plan yet. */
async function planReview(manager: ApiUser, projectId: string, pageId: string): Promise<void> {
  const critical = ['weight', 'pulse'].map((code) => ({ pageId, table: null, code }))
  const plan = { critical, sharePercent: 40, firstOfCenter: 2, folders: null, centers: [], seed: '3F9A1C' }
  await manager.call('review.planSwitch', {
    body: { projectId, track: 'sdv', plan, note: '监查计划 V1.0 第 5 章：每中心前 2 例及 40% 抽样' },
    more: { [headers.projectId]: projectId },
  })
}

/** Two dictionaries, one of which has entries below others. */
async function makeDictionaries(admin: Office['admin'], projectId: string): Promise<void> {
  const syndromes = [
    { dictKey: 'qx', dictValue: '气虚证', labelEn: 'Qi deficiency pattern' },
    { dictKey: 'xy', dictValue: '血瘀证', labelEn: 'Blood stasis pattern' },
    { dictKey: 'ts', dictValue: '痰湿证', labelEn: 'Phlegm-dampness pattern' },
  ]
  const { id } = await admin.call<{ id: string }>('projectDict.fastSubmit', {
    body: { projectId, code: 'SYND', dictValue: '证候', labelEn: 'TCM patterns', children: syndromes },
  })
  const { id: lung } = await admin.call<{ id: string }>('projectDict.submit', {
    body: { projectId, parentId: id, dictKey: 'fei', dictValue: '肺系证候', labelEn: 'Patterns of the lung' },
  })
  await admin.call('projectDict.submit', {
    body: {
      projectId,
      parentId: lung,
      dictKey: 'fei01',
      dictValue: '风寒袭肺证',
      labelEn: 'Wind-cold invading the lung',
    },
  })
  await admin.call('projectDict.fastSubmit', {
    body: { projectId, code: 'YN', dictValue: '是否', labelEn: 'Yes or no', children: [] },
  })
}
