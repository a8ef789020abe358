import '#tests/src/data/support/indexedDb.ts'
import { describe, expect, test } from 'vitest'
import { pageOf } from '#core/wire/shapes.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { MemberRow } from '#core/api/sync/rows.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readMembers, readProjectChoice, readVersions } from '#src/data/rows/readChoices.ts'
import { Remote } from '#src/data/rows/remote.ts'
import type { Api } from '#src/session/api.ts'
import { PROJECT } from '#tests/offline/support/tablet.ts'
import { project, version, ward } from '#tests/src/data/support/ward.ts'
import { projectRow } from '#tests/src/support/rows.ts'

/** What the bar over a project offers, with the server and without it. */

type Query = { readonly current?: number; readonly size?: number; readonly projectName?: string }

/** The same desk where the server answers as given. */
function reaching(
  context: DataContext,
  answer: (id: string, query: Query) => unknown,
  online = (): boolean => true,
): DataContext {
  const api = {
    call: async (id: string, input: { readonly query?: Query }) => answer(id, input.query ?? {}),
  } as unknown as Api
  return { ...context, api, online, remote: new Remote(() => undefined) }
}

describe('projects to choose from', () => {
  const many = Array.from({ length: 50 }, (_, at) => projectRow({ id: newId(), projectName: `研究 ${at + 1}` }))

  test('come twenty at a time, and what has come is not asked for again', async () => {
    const { context } = await ward()
    const asked: Query[] = []
    const online = reaching(context, (_id, query) => {
      asked.push(query)
      const { current = 1, size = 10 } = query
      return ok(pageOf(many.slice((current - 1) * size, current * size), many.length, { current, size }))
    })
    expect(await readProjectChoice(online, { name: '', pages: 1 })).toMatchObject({
      value: { projects: { length: 20 }, total: 50 },
    })
    expect(await readProjectChoice(online, { name: '', pages: 3 })).toMatchObject({
      value: { projects: { length: 50 }, total: 50 },
    })
    expect(asked).toEqual([
      { current: 1, size: 20 },
      { current: 2, size: 20 },
      { current: 3, size: 20 },
    ])
  })

  test('are searched for by the server', async () => {
    const { context } = await ward()
    const online = reaching(context, (_id, { projectName = '', current = 1, size = 10 }) => {
      const found = many.filter((row) => row.projectName.includes(projectName))
      return ok(pageOf(found, found.length, { current, size }))
    })
    const found = await readProjectChoice(online, { name: ' 研究 50 ', pages: 1 })
    expect(found.ok && found.value.projects.map(({ projectName }) => projectName)).toEqual(['研究 50'])
  })

  test('without the server are those that this device keeps', async () => {
    const { context } = await ward()
    await context.storage.work.kept.put({
      scope: PROJECT,
      userId: context.user.userId,
      since: new Date().toISOString(),
    })
    expect(await readProjectChoice(context, { name: '心绞痛', pages: 1 })).toEqual(
      ok({ projects: [project], total: 1 }),
    )
    expect(await readProjectChoice(context, { name: '哮喘', pages: 1 })).toEqual(ok({ projects: [], total: 0 }))
  })
})

describe('versions and members', () => {
  const member: MemberRow = {
    id: newId(),
    userId: newId(),
    realName: '林协调',
    userRole: 'CRC',
    userRoleName: '',
    status: 'active',
    lastLoginTime: null,
  }

  test('without the server are those that this device keeps', async () => {
    const at = await ward()
    await at.pulled(PROJECT, [{ kind: 'member', id: member.id, seq: 4, row: member }])
    const versions = await readVersions(at.context, PROJECT)
    expect(versions.ok && versions.value.map(({ id }) => id)).toEqual([version.id])
    expect(await readMembers(at.context, PROJECT)).toEqual(ok([member]))
  })

  test('are those of the device as well where the server goes away while it is asked', async () => {
    const at = await ward()
    let reachable = true
    const going = reaching(
      at.context,
      () => {
        reachable = false
        return err({ code: 'offline' })
      },
      () => reachable,
    )
    const versions = await readVersions(going, PROJECT)
    expect(versions.ok && versions.value.map(({ id }) => id)).toEqual([version.id])
  })

  test('say what the server refuses', async () => {
    const at = await ward()
    const refusing = reaching(at.context, () => err({ code: 'not_found' }))
    expect(await readMembers(refusing, PROJECT)).toEqual(err({ code: 'not_found' }))
  })
})
