import { asJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { entryId } from '#core/derivedIds.ts'
import type { EntryChange, ItemChange } from '#core/sync/entryChange.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { change, enrolment, operationOf, push } from '#tests/server/support/world.ts'

import { VERSION, centerId, pageOf, patientId, rowId } from './casebook.ts'
import type { CenterCode, PageCode } from './casebook.ts'

/** The 300 patients, and what of them differs from the others by their number in their center. */

export const SIZES: Readonly<Record<CenterCode, number>> = { N: 150, S: 100, E: 50 }

/** The patient who is removed: their two queries wait for nobody. */
export const REMOVED = { center: 'S', no: 100 } as const

/** What was entered of a page; null where it was not begun. */
interface Entered {
  readonly values: Readonly<Record<string, JsonValue>>
  readonly submitted: boolean
}

/** In every text that identifies a patient, and in no other. */
export const SECRET = '佚'

/** Every 10th patient's demographics are only saved. The first one's name is too short. */
function demographics(center: CenterCode, no: number): Entered {
  const name = no === 1 ? `${SECRET}${center}` : `${SECRET}名${center}${no}`
  return { values: { name, sex: no % 2 === 0 ? '0' : '1', age: 40 + (no % 30) }, submitted: no % 10 !== 0 }
}

/**
 * Every 10th patient's pressure is too high, with a reason that is too short for every 50th. In each 25 the third one's
 * lower pressure is above the upper one.
 */
function vitalSigns(no: number): Entered {
  const isHigh = no % 10 === 0
  const why: Readonly<Record<string, JsonValue>> = isHigh ? { why: no % 50 === 0 ? '高' : '复测一致' } : {}
  return { values: { sbp: isHigh ? 190 : 120, dbp: no % 25 === 3 ? 130 : 80, pulse: 72, ...why }, submitted: true }
}

/** The first half was seen again, every 15th with a pressure that is too high. Of the next tenth it is only saved. */
function followUp(center: CenterCode, no: number): Entered | null {
  const half = SIZES[center] / 2
  if (no > half) return no > half + SIZES[center] / 10 ? null : { values: vital(190), submitted: false }
  return { values: vital(no % 15 === 0 ? 185 : 120), submitted: true }
}

const vital = (sbp: number) => ({ sbp, dbp: 80, pulse: 70 })

/** Odd numbers take two drugs; in each 20 the 7th takes far too much of the second. */
function drugs(no: number): readonly { readonly drug: string; readonly dose: number }[] {
  if (no % 2 === 0) return []
  return [
    { drug: '阿司匹林', dose: 100 },
    { drug: '美托洛尔', dose: no % 20 === 7 ? 5000 : 50 },
  ]
}

/** Enrols everybody and enters their pages, as the sites' tablets send it, through the server's door. */
export async function enterEverybody(world: World, sites: Readonly<Record<CenterCode, Person>>): Promise<void> {
  for (const center of ['N', 'S', 'E'] as const) {
    const numbers = Array.from({ length: SIZES[center] }, (_, at) => at + 1)
    const make = operationsOf(world, sites[center], center)
    await sendAll(world, sites[center], numbers.map(make.enrolment))
    // Neighbours are of different patients, so that the server takes many at once.
    for (const page of ['DM', 'VS', 'CM', 'FU'] as const)
      await sendAll(
        world,
        sites[center],
        numbers.flatMap((no) => make.page(page, no)),
      )
  }
}

function operationsOf(world: World, who: Person, center: CenterCode) {
  const where = { centerId: centerId(world, center), crfVersionId: VERSION }
  const send = (target: EntryChange['target'], body: EntryChange, submitted: boolean): Operation =>
    operationOf(world, who, {
      ...where,
      call: submitted ? 'entry.submit' : 'entry.save',
      entityId: entryId(target),
      body: asJson(body),
    })
  return {
    enrolment: (no: number): Operation => {
      const identity = { name: `${SECRET}${center}${no}`, mobile: null, email: null, birthDate: null }
      const body = enrolment(world, patientId(center, no), { centerId: where.centerId, identity })
      return operationOf(world, who, {
        ...where,
        crfVersionId: null,
        call: 'patient.save',
        entityId: body.id,
        body: asJson(body),
      })
    },
    page: (page: PageCode, no: number): readonly Operation[] => {
      const target = pageOf(center, no, page)
      if (page === 'CM') {
        const body = drugChange(center, no)
        return body.rows.length === 0 ? [] : [send(target, body, true)]
      }
      const entered = page === 'DM' ? demographics(center, no) : page === 'VS' ? vitalSigns(no) : followUp(center, no)
      return entered === null ? [] : [send(target, change(target, entered.values), entered.submitted)]
    },
  }
}

function drugChange(center: CenterCode, no: number): EntryChange {
  const rows = drugs(no).map((values, at) => ({ rid: rowId(center, no, at + 1), order: at === 0 ? 'G' : 'V', values }))
  const item = (rid: string, code: string, value: JsonValue): ItemChange => ({
    table: 'drugs',
    rid,
    code,
    to: { value, missing: null },
    base: { value: null, missing: null },
    isShow: 1,
    reason: null,
  })
  return {
    ...change(pageOf(center, no, 'CM'), {}),
    items: rows.flatMap(({ rid, values: { drug, dose } }) => [item(rid, 'drug', drug), item(rid, 'dose', dose)]),
    rows: rows.map(({ rid, order }) => ({
      table: 'drugs',
      rid,
      to: { deleted: false, order },
      base: null,
      seen: null,
      reason: null,
    })),
  }
}

/** Sends so many in an envelope as a tablet does, and expects that all are taken. */
async function sendAll(world: World, who: Person, operations: readonly Operation[]): Promise<void> {
  for (let at = 0; at < operations.length; at += 100) {
    const answers = await push(
      world,
      who,
      operations.slice(at, at + 100).map((one) => asJson(one)),
    )
    for (const answer of answers.values())
      if (answer.t !== 'taken' || answer.receipt.outcome !== 'applied') throw new Error(JSON.stringify(answer))
  }
}
