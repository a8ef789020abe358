import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { PatientRow } from '#core/api/sync/rows.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { CENTER, CENTER_SCOPE, PROJECT, target, valueOf } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** The list of patients of a kept center is made once, and is never behind what this tablet holds. */

let at: Ward
let seq = 10
beforeEach(async () => {
  at = await ward()
})

async function list(): Promise<readonly PatientView[]> {
  return valueOf(await at.device.patients(PROJECT, { size: 100 })).patients
}

async function numbers(): Promise<readonly (string | null)[]> {
  return (await list()).map(({ no }) => no)
}

async function changed(patient: PatientRow, change: Partial<PatientRow>): Promise<void> {
  seq += 1
  await at.pulled(CENTER_SCOPE, [{ kind: 'patient', id: patient.id, seq, row: { ...patient, ...change, rev: seq } }])
}

describe('the list of a kept center', () => {
  test('stays as it is while nothing changes, also when it was made before anybody asked', async () => {
    await enrolled(at, '01-002')
    await enrolled(at, '01-001')
    await at.device.readAhead()
    const before = await list()
    expect(before.map(({ no }) => no)).toEqual(['01-001', '01-002'])
    const again = await list()
    expect(again.map((patient, place) => patient === before[place])).toEqual([true, true])
  })

  test('shows at once who comes, who is changed and who goes', async () => {
    const first = await enrolled(at, '01-999')
    expect(await numbers()).toEqual(['01-999'])
    const second = await enrolled(at, '01-1000')
    expect(await numbers()).toEqual(['01-999', '01-1000'])
    await changed(second, { initials: 'LS' })
    expect((await list()).map(({ initials }) => initials)).toEqual(['ZS', 'LS'])
    await changed(first, { deleted: true })
    expect(await numbers()).toEqual(['01-1000'])
  })

  test('says the center’s new name, and what of a patient is unsent', async () => {
    await enrolled(at)
    await enrolled(at, '01-002')
    const [seen] = await list()
    if (seen === undefined) throw new Error('nobody is listed')
    expect((await list()).map(({ centerName, sync }) => [centerName, sync])).toEqual([
      ['一院', 'received'],
      ['一院', 'received'],
    ])
    await at.pulled(PROJECT, [
      {
        kind: 'center',
        id: CENTER,
        seq: 30,
        row: {
          id: CENTER,
          centerName: '第一医院',
          centerCode: '01',
          status: 'active',
          groupSummary: null,
          planEnrolls: null,
          siteNo: null,
          numberTemplate: null,
        },
      },
    ])
    expect(await at.device.changePatient(PROJECT, seen, { initials: 'WW' }, null)).toMatchObject({ ok: true })
    const input = {
      projectId: PROJECT,
      centerId: CENTER,
      initials: 'NN',
      sex: 'M' as const,
      enrolledOn: '2026-11-21',
      identity: { name: '李四', mobile: null, email: null, birthDate: null },
    }
    valueOf(await at.device.enrolPatient(input))
    expect((await list()).map(({ no, initials, centerName, sync }) => [no, initials, centerName, sync])).toEqual([
      ['01-001', 'WW', '第一医院', 'local'],
      ['01-002', 'ZS', '第一医院', 'received'],
      [null, 'NN', '第一医院', 'local'],
    ])
  })
})

test('the page of the device counts the pages of a center that are here, also those that came since', async () => {
  const patient = await enrolled(at)
  const counted = async () =>
    valueOf(await at.device.scopes(PROJECT)).find(({ scope }) => scope === CENTER_SCOPE)?.entries
  // Pages of one patient that come together lie together, and are counted by their marks.
  const come = async (first: number) => {
    const entries = [0, 1, 2].map((repeat) => entryId({ ...target(patient.id), pageRepeat: String(first + repeat) }))
    await at.pulled(
      CENTER_SCOPE,
      entries.map((id, place) => ({
        kind: 'entry' as const,
        id,
        seq: 10 + first + place,
        row: { ...entryRow(id, patient.id, {}), pageRepeat: String(first + place) },
      })),
    )
  }
  await come(0)
  expect([await counted(), await counted()]).toEqual([3, 3])
  await come(3)
  expect(await counted()).toBe(6)
})
