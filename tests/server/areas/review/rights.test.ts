import { beforeAll, describe, expect, it } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { PermissionCode, ProjectRole } from '#core/access/permissions.ts'
import { mayPlanReview, reviewRightsOf, seesReview } from '#core/access/reviewRights.ts'
import { entryId } from '#core/derivedIds.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { mayReview, reviewTracks, tracksOf } from '#core/review/verification.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { EVERYTHING, act, listed, review, submitted, switchPlan } from '#tests/server/areas/review/support.ts'
import { addMember, call, refusal } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Every call of verification by everybody: the server allows what the rights say (core/access/reviewRights.ts). */

const world = worldForAllTests()
let everybody: readonly { readonly who: Person; readonly held: ReadonlySet<PermissionCode> }[]
let page: EntryTarget
beforeAll(async () => {
  const { admin, monitor, lin, manager } = world.people
  const { north, south } = world.study
  const member = (role: ProjectRole) => addMember(world.services, world.study, role, role, [north, south])
  const people: readonly (readonly [Person, ProjectRole])[] = [
    [admin, 'ADMIN'],
    [await member('PI'), 'PI'],
    [await member('PM'), 'PM'],
    [monitor, 'CRA'],
    [lin, 'CRC'],
    [manager, 'DBD'],
  ]
  everybody = people.map(([who, role]) => ({ who, held: new Set(defaultPermissions(role)) }))
  page = await submitted(world, { height: 170, weight: 65, smokes: '0', contact: '李四' })
})

const allowed = (may: boolean) => (may ? null : 'forbidden')

describe('everybody', () => {
  it('verifies, takes back and lists in the tracks that they check, and in no other', async () => {
    for (const { who, held } of everybody)
      for (const track of reviewTracks) {
        const may = mayReview(track, reviewRightsOf(held))
        expect([
          who.account,
          track,
          await refusal(act(world, who, page, 'verify', { weight: 65 }, { track })),
          await refusal(act(world, who, page, 'unverify', { weight: 65 }, { track })),
          await refusal(listed(world, who, { track })),
          await refusal(
            call(world, who, 'review.next', { query: { projectId: world.study.projectId, track, state: 'toDo' } }),
          ),
        ]).toEqual([who.account, track, allowed(may), allowed(may), allowed(may), allowed(may)])
      }
  })

  it('sees pages as who checks, progress and plans as who sees it, and switches plans as who plans', async () => {
    const { projectId } = world.study
    const asked = { projectId, track: 'sdv' as const }
    for (const { who, held } of everybody) {
      const checks = tracksOf(reviewRightsOf(held)).length > 0
      const body = { ...asked, plan: EVERYTHING }
      const report = { projectId, from: '2026-01-01', to: '2026-12-31' }
      expect([
        who.account,
        await refusal(review(world, who, page)),
        await refusal(call(world, who, 'review.patient', { query: { projectId, patientId: page.patientId } })),
        await refusal(call(world, who, 'review.progress', { query: asked })),
        await refusal(call(world, who, 'review.plans', { query: asked })),
        await refusal(call(world, who, 'review.planCoverage', { body })),
        await refusal(switchPlan(world, who)),
        await refusal(call(world, who, 'review.report', { query: report })),
      ]).toEqual([
        who.account,
        allowed(checks),
        allowed(checks),
        allowed(seesReview(held)),
        allowed(seesReview(held)),
        allowed(mayPlanReview(held)),
        allowed(mayPlanReview(held)),
        allowed(seesReview(held)),
      ])
    }
  })

  it('reads in the trail what was verified, but for who enters', async () => {
    await act(world, world.people.monitor, page, 'verify', { height: 170 })
    for (const { who, held } of everybody) {
      if (!held.has('audit_view')) continue
      const query = { projectId: world.study.projectId, patientId: page.patientId, current: 1, size: 500 }
      const { records } = await call(world, who, 'audit.list', { query })
      const told = records.some(({ action }) => action.startsWith('review.'))
      expect([who.account, told]).toEqual([who.account, seesReview(held)])
    }
    const field = { prop: 'height', current: 1, size: 100, projectId: world.study.projectId }
    const history = await call(world, world.people.lin, 'audit.field', { id: entryId(page), query: field })
    expect(history.records.map(({ action }) => action)).toEqual(['item.update'])
  })
})

describe('a field that identifies a person', () => {
  it('is neither marked nor told to who may not see it, and the trail tells no value of it', async () => {
    const { monitor } = world.people
    // Somebody who may see it has looked at it.
    await world.database.ownerPool.query(
      `INSERT INTO review_mark (entry_id, track, prop, project_id, state, content, note, by_user, at)
       SELECT $1, 'sdv', 'contact', $2, 'verified', '{"value": "李四", "missing": null}', '李四的身份证', $3, now()`,
      [entryId(page), world.study.projectId, monitor.userId],
    )
    const { sdv } = await review(world, monitor, page)
    expect(sdv.items.map(({ code }) => code)).not.toContain('contact')
    const { refused } = await act(world, monitor, page, 'exempt', { contact: '李四' })
    expect(refused).toMatchObject([{ code: 'contact', why: 'masked' }])
    const reason = { code: 'transcription', text: '' } as const
    const { lin } = world.people
    await call(world, lin, 'entry.save', {
      id: entryId(page),
      body: {
        target: page,
        items: [
          {
            table: null,
            rid: null,
            code: 'contact',
            isShow: 1 as const,
            reason,
            base: { value: '李四', missing: null },
            to: { value: '王五', missing: null },
          },
        ],
        rows: [],
        journal: [],
        seen: null,
      },
    })
    const query = { projectId: world.study.projectId, patientId: page.patientId, current: 1, size: 500 }
    const { records } = await call(world, monitor, 'audit.list', { query })
    const changed = records.find(({ action }) => action === 'review.changed')
    expect(changed).toMatchObject({ prop: 'contact' })
    expect(JSON.stringify(changed)).not.toContain('王五')
    expect(JSON.stringify(changed)).toContain(MASK)
  })
})
