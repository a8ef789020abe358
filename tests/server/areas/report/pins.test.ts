import { describe, expect, it } from 'vitest'
import type { ReportKind } from '#core/report/kinds.ts'
import { call, refusal } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** The reports that a person has on their workspace. */

const world = worldForAllTests()
const pins = (who: Person) => call(world, who, 'report.pins', { query: { projectId: world.study.projectId } })
const pin = (who: Person, kinds: readonly ReportKind[]) =>
  call(world, who, 'report.pinSave', { body: { projectId: world.study.projectId, kinds: [...kinds] } })

describe('pinned reports', () => {
  it('are a person’s own, in the order in which they put them', async () => {
    const { lin, monitor } = world.people
    expect(await pin(monitor, ['visits', 'queries'])).toEqual(['visits', 'queries'])
    await pin(lin, ['risk'])
    expect([await pins(monitor), await pins(lin)]).toEqual([['visits', 'queries'], ['risk']])
    await pin(monitor, ['queries', 'visits', 'enrolment'])
    expect(await pins(monitor)).toEqual(['queries', 'visits', 'enrolment'])
    await pin(monitor, [])
    expect(await pins(monitor)).toEqual([])
  })

  it('name each report once, and are nobody’s who is not in the project', async () => {
    const { monitor, stranger } = world.people
    expect(await refusal(pin(monitor, ['visits', 'visits']))).toBe('invalid')
    expect([await refusal(pin(stranger, ['visits'])), await refusal(pins(stranger))]).toEqual([
      'not_found',
      'not_found',
    ])
  })

  it('are in the system’s trail when they change', async () => {
    await pin(world.people.wu, ['visits'])
    const { rows } = await world.services.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM audit WHERE action = 'user.report_pins' AND user_id = $1`,
      [world.people.wu.userId],
    )
    expect(rows).toEqual([{ count: 1 }])
  })
})
