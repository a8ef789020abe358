import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { saysOfRange } from '#core/form/engine/warning.ts'
import { entryId, visitId } from '#core/derivedIds.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'
import { changesOf, deriveId, visitRepeatOf } from '#server/demo/changes.ts'
import { addDays } from '#server/demo/course/days.ts'
import type { EnteredPage } from '#server/demo/course/entered.ts'
import type { SaidOfVisit } from '#server/demo/course/visitFacts.ts'
import type { DemoHand } from '#server/demo/hand.ts'
import type { MadeStudy } from '#server/demo/setUp.ts'
import { directAct } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'

/**
 * What the coordinators of the demo enter of a subject: their enrolment, what they say of visits, and pages with their
 * corrections.
 */

/** The subject of an entry, and who enters. */
export interface Bedside {
  readonly no: string
  readonly patientId: string
  readonly account: DemoAccount
}

/** Who a subject is, as it is said at enrolment. */
export interface Enrolled {
  readonly name: string
  readonly initials: string
  readonly sex: 'F' | 'M'
  readonly birthDate: string
  readonly enrolledOn: string
  /** The index of their center. */
  readonly center: number
}

/** A subject's record has the same id at each start. */
export function patientIdOf(no: string): string {
  return deriveId(`patient ${no}`)
}

export async function enrol(
  hand: DemoHand,
  { projectId, centers, versionId }: MadeStudy,
  { no, patientId: id, account }: Bedside,
  { name, initials, sex, birthDate, enrolledOn, center }: Enrolled,
): Promise<void> {
  const identity = { name, mobile: null, email: null, birthDate }
  const facts = { no: null, mark: id.slice(-4).toUpperCase(), initials, sex, enrolledOn }
  const body = { id, projectId, centerId: centers[center] ?? '', ...facts, identity }
  const context = hand.online(account, `enrol ${no}`, versionId)
  await takeIn(hand.services, directAct(context, { call: 'patient.save', body, projectId, entityId: id }))
}

/** Lanes of entry side by side. What went wrong in one is thrown only once no lane writes any more. */
export async function enterSideBySide(lanes: readonly Promise<void>[]): Promise<void> {
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason
}

export async function sayOfVisit(
  hand: DemoHand,
  { projectId, versionId, folders }: MadeStudy,
  { no, patientId, account }: Bedside,
  { folder: code, repeat, takenBack, ...said }: SaidOfVisit,
): Promise<void> {
  const folder = folders.find(({ folderCode }) => folderCode === code)
  if (folder === undefined) throw new RangeError(`the demo has no visit ${code}`)
  const key = { patientId, folderId: folder.id, folderRepeat: visitRepeatOf(no, code, repeat) }
  const id = visitId(key)
  const fields = (['actualDate', 'outcome', 'outcomeReason', 'deviationReason'] as const).map((field) => ({
    field,
    to: said[field] ?? null,
    base: null,
  }))
  const place = { id, projectId, ...key }
  const step = `visit ${no} ${code} ${repeat}`
  const act = { call: 'visit.save', body: { ...place, fields, reason: null }, projectId, entityId: id } as const
  await takeIn(hand.services, directAct(hand.online(account, step, versionId), act))
  if (takenBack === undefined) return
  const body = { ...place, reason: { code: 'other', text: takenBack } } as const
  const away = { call: 'visit.remove', body, projectId, entityId: id } as const
  await takeIn(hand.services, directAct(hand.online(account, `${step} taken back`, versionId), away))
}

/** The first save of a page, and its later corrections. */
export async function enterPage(
  hand: DemoHand,
  { projectId, versionId, folders, madeOn }: MadeStudy,
  { no, patientId, account }: Bedside,
  entered: EnteredPage,
): Promise<void> {
  const folder = folders.find(({ folderCode }) => folderCode === entered.folder)
  const page = folder?.pages.find(({ pageCode }) => pageCode === entered.page)
  if (folder === undefined || page === undefined)
    throw new RangeError(`the demo has no page ${entered.folder} ${entered.page}`)
  const { visitRepeat = 0, pass = 1 } = entered
  const name = `${no} ${entered.folder} ${entered.page} ${entered.repeat}${visitRepeat === 0 ? '' : ` of ${visitRepeat}`}`
  const place = {
    patientId,
    folderId: folder.id,
    folderRepeat: visitRepeatOf(no, entered.folder, visitRepeat),
    pageId: page.id,
    pass,
  }
  for (const [step, { change, submit, by }] of changesOf(name, place, entered).entries()) {
    const confirms = step === 0 ? confirmationsOf(folders, entered, `${addDays(madeOn, -1)}T02:00:00.000Z`) : []
    const key = `enter ${name} ${step}${pass === 1 ? '' : ` pass ${pass}`}`
    const context = hand.online(by ?? account, key, versionId, pass)
    await takeIn(
      hand.services,
      directAct(context, actOf(confirms.length === 0 ? change : { ...change, confirms }, submit, projectId)),
    )
  }
}

/**
 * The words with which a person stands by values outside of their plausible range.
 *
 * @param at the same at each start: a step that is made again must say the same
 */
function confirmationsOf(
  folders: MadeStudy['folders'],
  { folder, page, values, confirmed = {} }: EnteredPage,
  at: string,
): ConfirmationGiven[] {
  const given = Object.entries(confirmed)
  if (given.length === 0) return []
  const result = new CompiledVersion(folders).page({ folder, page })
  if (!result.ok) throw new RangeError(`the demo cannot read the page ${folder} ${page}`)
  return given.map(([code, reason]) => {
    const field = result.compiled.page.fields.find((one) => one.code === code)
    if (field === undefined) throw new RangeError(`the demo has no field ${page}.${code}`)
    const says = saysOfRange(field)
    return { table: null, rid: null, code, warning: 'plausible', says, value: values[code] ?? null, reason, at }
  })
}

function actOf(change: EntryChange, submit: boolean, projectId: string) {
  return {
    call: submit ? 'entry.submit' : 'entry.save',
    body: change,
    projectId,
    entityId: entryId(change.target),
  } as const
}
