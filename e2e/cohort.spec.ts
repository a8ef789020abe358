import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { canonicalJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { expectBookedOnce } from './support/booked.ts'
import { findInDatabases, findOnDisk, untilOnDisk } from './support/disk.ts'
import { drawn, give } from './support/hand.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'
import { MARK, PlannedPage } from './support/plannedPage.ts'
import type { Answer } from './support/plannedPage.ts'
import { signIn, signInAgain, unlock, urlsWith, watchUrls } from './support/session.ts'
import { ADMIN } from './support/study/office.ts'
import { startEntry } from './support/study/project.ts'
import { releaseDictionary } from './support/study/versions.ts'
import {
  CRA,
  CRC,
  FIRST_PATIENT,
  PASSWORDS,
  enrol,
  keepCenter,
  makeProject,
  untilSynced,
} from './support/study/ward.ts'
import { newTablet } from './support/tablet.ts'
import type { Tablet } from './support/tablet.ts'

/**
 * The main job with the dictionary of a whole cohort, of whose rules most say what is shown: the pages of a patient are
 * filled on a ward without a network, as a plan made from the dictionary says, with branches that open, close and open
 * again.
 */

const SAMPLES = process.env['SAMPLES_DIR'] ?? path.resolve(import.meta.dirname, '../../shared/samples')

interface Cohort {
  readonly dictionary: string
  readonly pages: number
  readonly fields: number
  readonly conditions: number
  /** How many of its properties are not carried over, and one of them. */
  readonly notCarried: { readonly count: number; readonly row: RegExp; readonly text: string }
  /** At least so many answers are given. */
  readonly given: number
  /** The page on which the battery goes and branches are closed. */
  readonly largest: string
  /** Looked at only: what opens and closes on it does so on the other pages as well. */
  readonly leftEmpty: string
  /** Fields around the age in days, which is calculated and never drawn. */
  readonly age: Readonly<
    Record<'known' | 'born' | 'age' | 'unit' | 'days' | 'visit' | 'afterBirth' | 'birthWeight', string>
  >
}

/** A real one of 586 fields, for those who have it beside this repository. */
const REAL: Cohort = {
  dictionary: path.join(SAMPLES, 'redcap/isaric_ccpuk_hantavirus_2026.csv'),
  pages: 10,
  fields: 586,
  conditions: 403,
  notCarried: { count: 312, row: /consent_options/, text: '<u>(select all' },
  given: 300,
  largest: 'presentation',
  leftEmpty: 'daily',
  age: {
    known: 'demog_birthknow',
    born: 'demog_birthdate',
    age: 'demog_age',
    unit: 'demog_age_units',
    days: 'demog_calcage_days',
    visit: 'pres_date',
    afterBirth: 'preg_postpartum',
    birthWeight: 'infa_brtwei',
  },
}

/** A small one of our own with the same kinds of rules, for everybody else. */
const TWIN: Cohort = {
  dictionary: path.resolve(import.meta.dirname, '../tests/samples/redcap/twin_cohort.csv'),
  pages: 4,
  fields: 48,
  conditions: 33,
  notCarried: { count: 1, row: /ward_no/, text: '@BARCODE-APP' },
  given: 30,
  largest: 'arrival',
  leftEmpty: 'each_day',
  age: {
    known: 'birth_known',
    born: 'born_on',
    age: 'age',
    unit: 'age_unit',
    days: 'age_days',
    visit: 'arrived_on',
    afterBirth: 'after_birth',
    birthWeight: 'birth_weight',
  },
}

const COHORT = existsSync(REAL.dictionary) ? REAL : TWIN
/** Where screenshots go when somebody wants to look at them. */
const SHOTS = process.env['SHOTS_DIR']

const PATIENT = { initials: 'QXJZ', name: '欧阳植标', mobile: '13987650321' }
/** Texts that must never stand in clear anywhere but in the server's database. */
const SECRETS = [MARK, ...Object.values(PATIENT), CRC.password]

let server: RunningServer
let network: Network
let tablet: Tablet
let projectId: string
let patients: string
/** The pages of the dictionary, with what the coordinator has answered so far. */
let pages: readonly PlannedPage[]
/** The field that closed a branch on the largest page. */
let closedBy: string

test.describe.configure({ mode: 'serial', timeout: 600_000 })
// Pictures of three hundred answers would take longer than the answers.
test.use({ trace: { mode: 'retain-on-failure', snapshots: false, screenshots: false } })

test.beforeAll(async () => {
  pages = plannedPages()
  server = await startServer({ adminPassword: ADMIN.password })
  network = await startNetwork(server.port)
  tablet = await newTablet()
})

test.afterAll(async () => {
  await tablet.dispose()
  await network.close()
  await server.dispose()
})

test('an administrator makes pages from the dictionary, reads what is not carried over, and releases them', async () => {
  const admin = await signInByApi(network.address, ADMIN.account, ADMIN.password)
  projectId = await makeProject(network.address, admin, '汉坦病毒队列')
  const inDialog = async (dialog: Locator): Promise<void> => {
    await expect(figure(dialog, '表单')).toHaveText(String(COHORT.pages))
    await expect(figure(dialog, '字段')).toHaveText(String(COHORT.fields))
    await expect(figure(dialog, '显示条件')).toHaveText(String(COHORT.conditions))
    const { count, row, text } = COHORT.notCarried
    await expect(dialog.getByRole('heading', { name: `未能带入的内容（${count} 处）` })).toBeVisible()
    for (const fold of await dialog.getByRole('button', { name: /^(?:丢失|改变|需在设计中补写|不影响录入)/ }).all())
      await fold.click()
    await expect(dialog.getByRole('row', { name: row })).toContainText(text)
  }
  await releaseDictionary(
    tablet.page,
    network.address,
    projectId,
    COHORT.dictionary,
    inDialog,
    `已导入 ${COHORT.pages} 页，${COHORT.fields} 个字段`,
  )
  patients = await startEntry(admin, projectId)
})

test('a CRC fills the pages of a patient without a network, and the battery goes in the middle of the largest', async () => {
  let { page } = tablet
  const urls = watchUrls(page)
  await keepCenter(page, network.address, patients)
  await network.cut()
  await page.reload()
  await unlock(page, CRC.password)
  await enrol(page, PATIENT)
  await page
    .getByRole('listitem')
    .getByRole('link', { name: pages[0]?.name ?? '' })
    .click()

  for (const planned of pages) {
    await expectDrawn(page, planned)
    if (planned.required().length > 0) await submitWithoutOne(page, planned)
    if (planned.code === COHORT.largest) page = await fillAcrossTheBattery(page, planned, urls)
    else if (planned.code !== COHORT.leftEmpty) await fill(page, planned, planned.answers())
    await expectDrawn(page, planned)
    if (planned.code === COHORT.largest) {
      await closeAndOpen(page, planned)
      await ageInDays(page, planned)
    }
    await shot(page, planned.code)
    if (planned !== pages.at(-1)) await page.getByRole('button', { name: '下一页', exact: true }).click()
  }
  await expect(page.locator('footer').getByText(/已保存在本机/)).toBeVisible()
  const given = filled().flatMap((planned) => Object.keys(planned.values()))
  expect(given.length).toBeGreaterThan(COHORT.given)

  const raw = await findInDatabases(page, SECRETS)
  expect(raw.records).toBeGreaterThan(0)
  expect(raw.findings).toEqual([])
  expect(urlsWith(SECRETS, urls)).toEqual([])
})

test('the network returns: every value is on the server once, with its author, both times and its place in the chain', async () => {
  const { page } = tablet
  await network.restore()
  // The token went with the battery: the sign-in sheet asks for the password once the network is there.
  await signInAgain(page, CRC.password)
  await untilSynced(page, network.address)

  const database = await openServerDatabase(server.dataDir)
  try {
    const { rows } = await database.query<StoredEntry>(`
      SELECT p.code, e.id, e.values, u.account FROM entry e JOIN app_user u ON u.id = e.updated_by JOIN crf_page p ON p.page_id = e.page_id`)
    expect(rows.map(({ code }) => code).toSorted()).toEqual(
      filled()
        .map(({ code }) => code)
        .toSorted(),
    )
    const trail = await database.query<Booked>(`
      SELECT a.entry_id, a.prop, a.device_id, a.occurred_at, a.received_at, v.new_value, u.account
      FROM audit a JOIN audit_value v ON v.audit_id = a.id JOIN app_user u ON u.id = a.user_id
      WHERE a.entry_id IS NOT NULL AND a.prop IS NOT NULL ORDER BY a.seq, a.ord`)
    for (const planned of filled()) {
      const entry = rows.find(({ code }) => code === planned.code)
      expect(entry).toMatchObject({ account: CRC.account })
      expect(entry?.values, planned.code).toEqual(planned.values())
      expectTrail(
        planned,
        trail.rows.filter((booked) => booked.entry_id === entry?.id),
      )
    }
    await expectBookedOnce(database, projectId, CRC.account)
  } finally {
    await database.end()
  }
  const admin = await signInByApi(network.address, ADMIN.account, ADMIN.password)
  const chain = await admin.call<{ holds: boolean; checked: number }>('audit.verify', { query: { projectId } })
  expect(chain.holds).toBe(true)
  expect(chain.checked).toBeGreaterThan(filled().length)
})

test('a monitor on another machine reads every value, in words, and cannot write', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page, network.address, patients, CRA)
  await page
    .getByRole('link', { name: new RegExp(FIRST_PATIENT) })
    .first()
    .click()
  await page
    .getByRole('listitem')
    .getByRole('link', { name: pages[0]?.name ?? '' })
    .click()
  for (const planned of pages) {
    await expectDrawn(page, planned)
    await expect(page.locator('[data-control], [data-action]')).toHaveCount(0)
    await expect(page.getByRole('button', { name: '提交', exact: true })).toHaveCount(0)
    if (planned !== pages.at(-1)) await page.getByRole('button', { name: '下一页', exact: true }).click()
  }
  await context.close()
})

test('a stranger who takes the tablet apart finds no value and no password, and the server wrote none to its log', async () => {
  await tablet.pullBattery()
  expect(await findOnDisk(tablet.profile, [...SECRETS, ADMIN.password])).toEqual([])
  const log = server.output()
  expect(log).not.toBe('')
  for (const secret of [...SECRETS, ...PASSWORDS]) expect(log).not.toContain(secret)
  expect(log).not.toMatch(/bearer [A-Za-z0-9_-]{20}/)
})

function filled(): readonly PlannedPage[] {
  return pages.filter(({ code }) => code !== COHORT.leftEmpty)
}

function plannedPages(): readonly PlannedPage[] {
  const result = readRedcapDictionary(readFileSync(COHORT.dictionary, 'utf8'))
  if (!result.ok) throw new Error(`the dictionary cannot be read: ${result.error.kind}`)
  return result.definition.pages.map((page) => new PlannedPage(page))
}

/** What is drawn is what the engine says: the same rows, no other, and in each of them its value. */
async function expectDrawn(page: Page, planned: PlannedPage): Promise<void> {
  await expect.poll(() => drawn(page), planned.code).toEqual(planned.shown())
}

/** Gives answers. Where one opens or closes something, exactly that is seen on the page. */
async function fill(page: Page, planned: PlannedPage, answers: Iterable<Answer>): Promise<void> {
  let rows = planned.visible().join()
  for (const answer of answers) {
    await give(page, answer)
    const before = rows
    rows = planned.visible().join()
    if (rows !== before) await expect.poll(async () => Object.keys(await drawn(page)).join(), answer.prop).toBe(rows)
  }
  // A date is shown as it is kept once its box is left.
  await page.keyboard.press('Tab')
}

interface StoredEntry extends Record<string, unknown> {
  readonly code: string
  readonly id: string
  readonly values: Readonly<Record<string, JsonValue>>
}

/** An audit row of an item. */
interface Booked extends Record<string, unknown> {
  readonly entry_id: string
  readonly prop: string
  readonly account: string
  readonly device_id: string | null
  readonly occurred_at: Date
  readonly received_at: Date
  readonly new_value: { readonly value: JsonValue }
}

/** Each value is in the page's audit trail once and last, by whom it was entered, when, and when it came. */
function expectTrail(planned: PlannedPage, trail: readonly Booked[]): void {
  for (const [prop, value] of Object.entries(planned.values())) {
    const rows = trail.filter((booked) => booked.prop === prop)
    expect(rows.at(-1)?.new_value.value, prop).toEqual(value)
    for (const { account, device_id: device, occurred_at: acted, received_at: received } of rows) {
      expect({ account, sent: device !== null, before: acted < received }, prop).toEqual({
        account: CRC.account,
        sent: true,
        before: true,
      })
    }
    // What closed a branch was this before the branch was opened again.
    if (prop !== closedBy)
      expect(
        rows.filter((booked) => canonicalJson(booked.new_value.value) === canonicalJson(value)),
        prop,
      ).toHaveLength(1)
  }
}

/** All but the last that is required: the page is not taken, says which it is, and leads there. With it, it is. */
async function submitWithoutOne(page: Page, planned: PlannedPage): Promise<void> {
  const required = planned.required()
  const submit = page.getByRole('button', { name: '提交', exact: true })
  await fill(page, planned, planned.answers({ leaving: required.slice(-1) }))
  await submit.click()
  const left = planned.required().filter((prop) => planned.value(prop) === null)
  const errors = page.getByRole('alert').getByRole('button')
  await expect(errors).toHaveText(left.map((prop) => `${planned.label(prop)}必须填写`))
  await errors.first().click()
  await expect(page.locator(`[data-row="${left[0]}"] :focus`)).toBeVisible()
  await fill(page, planned, planned.answers())
  await submit.click()
  await expect(page.locator('header').getByText('已提交')).toBeVisible()
}

/** Fills a page, in the middle of which the tablet dies while a text is typed, and goes on where it was. */
async function fillAcrossTheBattery(opened: Page, planned: PlannedPage, urls: string[]): Promise<Page> {
  const all = [
    ...(plannedPages()
      .find(({ code }) => code === planned.code)
      ?.answers() ?? []),
  ]
  const prop =
    all.slice(all.length / 2).find((answer) => answer.by === 'typing' && answer.typed.startsWith(MARK))?.prop ?? ''
  await fill(opened, planned, planned.answers({ upTo: prop }))
  const answer = planned.answer(prop)
  const typed = answer.by === 'typing' ? answer.typed : ''
  const box = opened.locator(`[data-row="${prop}"] [data-control=text]`)
  await box.pressSequentially(typed.slice(0, -1))
  await expect(opened.locator('footer').getByText(/已保存在本机/)).toBeVisible()
  const address = opened.url()
  // The last character is journalled before the save that would hold it: the battery goes as soon as anything new is on
  // the disk.
  await untilOnDisk(opened, () => box.pressSequentially(typed.slice(-1)))
  await tablet.pullBattery()

  const page = await tablet.start()
  watchUrls(page, urls)
  await page.goto(address)
  await unlock(page, CRC.password)
  await expectDrawn(page, planned)
  await fill(page, planned, planned.answers())
  return page
}

/**
 * A branch that is closed takes its fields away and keeps what is in them: it is there when the branch is opened again.
 */
async function closeAndOpen(page: Page, planned: PlannedPage): Promise<void> {
  const { prop, open, closed, hides } = planned.closing()
  closedBy = prop
  expect(hides.length).toBeGreaterThan(5)
  const before = planned.values()
  await give(page, planned.answer(prop, closed))
  await expectDrawn(page, planned)
  expect(planned.visible().filter((one) => hides.includes(one))).toEqual([])
  await give(page, planned.answer(prop, open))
  await expectDrawn(page, planned)
  expect(planned.values()).toEqual(before)
  // It stays closed: what is hidden goes to the server as well.
  await give(page, planned.answer(prop, closed))
  await expectDrawn(page, planned)
  expect(Object.keys(planned.values())).toEqual(expect.arrayContaining([...hides]))
}

/**
 * The age in days is calculated from what is known: from the age at first, and from the date of birth once that is
 * known. `@HIDDEN` keeps it off the screen, and it decides all the same whether the weight at birth is asked.
 */
async function ageInDays(page: Page, planned: PlannedPage): Promise<void> {
  const { known, born, age, unit, days: ageDays, visit, afterBirth, birthWeight } = COHORT.age
  const expectDays = async (days: number | null): Promise<void> => {
    expect(planned.value(ageDays)).toBe(days)
    await expectDrawn(page, planned)
    await expect(page.locator(`[data-row="${ageDays}"]`)).toBeHidden()
    const asked = (days !== null && days < 365) || planned.text(afterBirth) === '1'
    expect(await page.locator(`[data-row="${birthWeight}"]`).isVisible()).toBe(asked)
  }
  const perUnit = { 1: 365, 2: 365 / 12, 3: 1 }[planned.text(unit)] ?? Number.NaN
  expect(planned.text(known)).toBe('0')
  await expectDays(Math.round(Number(planned.text(age)) * perUnit))
  await fill(page, planned, [planned.answer(known, '1')])
  await expectDays(null)
  await fill(page, planned, planned.answers())
  // Of two days the later may be either one: REDCap counts without a sign.
  await expectDays(Math.abs(Date.parse(planned.text(visit)) - Date.parse(planned.text(born))) / 86_400_000)
}

/** A figure of what the dialog says that the file holds. */
function figure(dialog: Locator, name: string): Locator {
  return dialog
    .locator('dl > div')
    .filter({ has: dialog.page().getByText(name, { exact: true }) })
    .locator('dd')
}

async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: path.join(SHOTS, `${name}.png`) })
}
