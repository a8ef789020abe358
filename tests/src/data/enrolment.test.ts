import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { CENTER, CENTER_SCOPE, PROJECT, valueOf } from '#tests/offline/support/tablet.ts'
import { patientRow, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** How many patients a project has and since when: whole figures, or none. */

let at: Ward
beforeEach(async () => {
  at = await ward()
})

async function planning(planEnrolls: number | null): Promise<void> {
  const row = {
    id: CENTER,
    centerName: '一院',
    centerCode: '01',
    status: 'active',
    groupSummary: null,
    planEnrolls,
    siteNo: null,
    numberTemplate: null,
  } as const
  await at.pulled(PROJECT, [{ kind: 'center', id: CENTER, seq: 40, row }])
}

/** Pulls patients of the center, enrolled on these days. */
async function enrolledOn(...days: readonly (string | null)[]): Promise<void> {
  await at.pulled(
    CENTER_SCOPE,
    days.map((enrolledOn, index) => {
      const row = { ...patientRow(`01-${String(index + 1).padStart(3, '0')}`), enrolledOn }
      return { kind: 'patient' as const, id: row.id, seq: 50 + index, row }
    }),
  )
}

describe('enrolment of a kept center, without the server', () => {
  test('counts who is enrolled on each day, and tells who has no day', async () => {
    await planning(60)
    await enrolledOn('2026-02-03', '2026-01-10', '2026-02-03', null)
    expect(valueOf(await at.device.enrolled(PROJECT))).toEqual({ enrolled: 4, planned: 60, centers: 1, isHere: true })
    expect(valueOf(await at.device.enrolment(PROJECT, false))).toMatchObject({
      days: [
        { day: '2026-01-10', count: 1 },
        { day: '2026-02-03', count: 2 },
      ],
      undated: 1,
      enrolled: 4,
    })
  })

  test('has no plan where a center says none', async () => {
    await enrolledOn('2026-01-10')
    expect(valueOf(await at.device.enrolled(PROJECT)).planned).toBeNull()
  })
})

test('says that it is not here rather than a part, before the first download has ended', async () => {
  expect(await at.device.enrolled(PROJECT)).toEqual({ ok: false, error: { code: 'not_kept' } })
  expect(await at.device.enrolment(PROJECT, true)).toEqual({ ok: false, error: { code: 'not_kept' } })
})
