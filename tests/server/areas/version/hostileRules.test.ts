import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RuleRunCounts } from '#core/api/calls/design.ts'
import { entryId } from '#core/derivedIds.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { HOSTILE_RULES } from '#tests/core/rules/support/hostileRules.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import { call, change, enrol, item, makeWorld, save, vitals } from '#tests/server/support/world.ts'
import type { World } from '#tests/server/support/world.ts'

/**
 * Rules that ask for more work than any machine has: tried on what was entered, and released. Nothing ends, and nobody
 * waits.
 */

let world: World
let patient: string
beforeAll(async () => {
  world = await makeWorld()
  for (let at = 0; at < 5; at += 1) {
    patient = await enrol(world)
    await save(world, world.people.lin, change(vitals(world, patient), { height: 170, weight: 65 }))
  }
}, 60_000)
afterAll(() => world.close())

const BOUND_MS = 5_000

describe('a hostile rule', () => {
  it.each(HOSTILE_RULES)('is tried on what was entered, and fails on each: %s', async (_name, source) => {
    const started = performance.now()
    const counts: RuleRunCounts = await call(world, world.people.manager, 'version.ruleTry', {
      query: { crfId: world.study.versionId },
      body: { pageId: world.study.vitalsId, table: null, kind: 'show', source, after: null },
    })
    expect(counts).toMatchObject({ entries: 5, faults: 5, next: null })
    expect(performance.now() - started).toBeLessThan(BOUND_MS)
  })

  it('comes into a release, and stops neither its migration nor a save', async () => {
    const checks = HOSTILE_RULES.map(([, source], at) => ({
      id: `c${at}`,
      when: `page.height > 0.0 && ${source}`,
      severity: 'error' as const,
      message: { zh: '核对' },
    }))
    const columns = vitalsColumns.map((column) =>
      column.prop === 'note'
        ? { ...column, zl: { checks } }
        : column.prop === 'contact'
          ? { ...column, zl: { ...column.zl, show: HOSTILE_RULES[0]?.[1] ?? '' } }
          : column,
    )
    const crfId = await testedVersion(world, { no: 2, columns })
    const task = await releaseTested(world, crfId)
    const started = performance.now()
    await runMigrations(world.services)
    expect(performance.now() - started).toBeLessThan(5 * BOUND_MS)
    expect(
      await call(world, world.people.manager, 'task.result', {
        params: { id: task ?? '' },
        query: { taskType: 'migration' },
      }),
    ).toMatchObject({ status: 1, finishedCount: 5, totalCount: 5 })

    const begun = performance.now()
    await save(world, world.people.lin, change(vitals(world, patient), { height: item('height', 170, 171) }), { crfId })
    expect(performance.now() - begun).toBeLessThan(BOUND_MS)
    const { rows } = await world.services.pool.query<{ values: object; hidden: readonly string[] }>(
      'SELECT "values", hidden FROM entry WHERE id = $1',
      [entryId(vitals(world, patient))],
    )
    // What a rule that was stopped would have hidden is shown.
    expect(rows[0]).toMatchObject({ values: { height: 171, weight: 65 } })
    expect(rows[0]?.hidden).not.toContain('contact')
    const faults = await call(world, world.people.manager, 'version.ruleFaults', { query: { crfId } })
    expect(faults.map(({ field, kind }) => `${field} ${kind}`).toSorted()).toEqual(['contact work', 'note work'])
  })
})
