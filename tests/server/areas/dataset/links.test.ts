import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DataSetLink } from '#core/api/calls/data/datasetLinks.ts'
import { newId } from '#core/ids.ts'
import { sweepRuns } from '#server/areas/dataset/expire.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import { createTestServer } from '#tests/server/support/app.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, refusal } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { AS_IS, ask, archiveOf, decide, define, entered } from './support.ts'

/** Links by which a program outside fetches the file of a run: signed, ended by time or by hand, never identifying. */

const world = worldForEachTest()
let manager: Person
let otherAdmin: Person
beforeEach(async () => {
  manager = world.people.manager
  otherAdmin = await addMember(world.services, world.study, 'second', 'ADMIN', [world.study.north, world.study.south])
  await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
    otherAdmin.deviceId,
    otherAdmin.userId,
  ])
})

async function finishedRun(who = manager): Promise<string> {
  await entered(world)
  const { id } = await ask(world, who)
  await runDataSets(world.services)
  return id
}

function make(runId: string, more: { readonly hours?: number; readonly who?: Person } = {}): Promise<DataSetLink> {
  const { hours = 24, who = manager } = more
  const body = { projectId: world.study.projectId, id: newId(), runId, hours, purpose: '交统计师在 R 中分析' }
  return call(world, who, 'dataset.linkMake', { body })
}

async function links(runId: string, who = manager): Promise<readonly DataSetLink[]> {
  return call(world, who, 'dataset.links', { query: { projectId: world.study.projectId, runId } })
}

function end(id: string, who = manager): Promise<DataSetLink> {
  return call(world, who, 'dataset.linkEnd', { body: { projectId: world.study.projectId, id } })
}

/** Fetches as a program does that knows the address only. */
async function fetchBy(path: string | null): Promise<Buffer> {
  const [, id = '', signature = ''] = /linked\/([^/]+)\/([^/]+)$/.exec(path ?? '') ?? []
  const { body } = await call(world, manager, 'dataset.linked', { params: { id, signature } })
  return buffer(body)
}

async function trail(): Promise<readonly unknown[]> {
  const { rows } = await world.database.ownerPool.query<Record<string, unknown>>(
    `SELECT a.action, a.user_name AS who, a.ip, v.new_value AS said
     FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action LIKE 'dataset.link%' ORDER BY a.seq, a.ord`,
  )
  return rows
}

describe('a link to the file of a de-identified run', () => {
  it('gives the same archive as the download, and every use is counted and booked', async () => {
    const runId = await finishedRun()
    const link = await make(runId)
    expect(link).toMatchObject({ runId, state: 'open', uses: 0, madeByName: manager.realName })
    const archive = await archiveOf(world, manager, runId)
    expect(await fetchBy(link.path)).toEqual(archive)
    expect(await fetchBy(link.path)).toEqual(archive)
    expect(await links(runId)).toMatchObject([{ id: link.id, uses: 2 }])
    expect(await trail()).toMatchObject([
      { action: 'dataset.link', who: manager.realName, said: { id: link.id, runId } },
      { action: 'dataset.linked', who: 'server', ip: '127.0.0.1', said: { id: link.id, runId } },
      { action: 'dataset.linked', who: 'server', ip: '127.0.0.1', said: { id: link.id, runId } },
    ])
  })

  it('answers no more once it has ended, and says that to its maker', async () => {
    const runId = await finishedRun()
    const { id, path } = await make(runId)
    expect(await end(id)).toMatchObject({ state: 'ended', path: null, endedByName: manager.realName })
    expect(await refusal(fetchBy(path))).toBe('not_found')
    expect(await refusal(end(id))).toBe('transition_refused')
  })

  it('answers no longer than it was made for, and never longer than the file is kept', async () => {
    const runId = await finishedRun()
    const short = await make(runId, { hours: 1 })
    const long = await make(runId, { hours: 168 })
    expect(Date.parse(short.expiresAt) - Date.parse(short.madeAt)).toBe(3_600_000)
    const { rows } = await world.services.pool.query<{ expires: string }>(
      'SELECT expires_at AS expires FROM data_set_run WHERE id = $1',
      [runId],
    )
    expect(Date.parse(long.expiresAt)).toBeLessThanOrEqual(Date.parse(rows[0]?.expires ?? ''))
    await world.services.pool.query(`UPDATE data_set_link SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
      short.id,
    ])
    expect(await refusal(fetchBy(short.path))).toBe('not_found')
    expect((await links(runId)).find(({ id }) => id === short.id)).toMatchObject({ state: 'expired', path: null })
    await world.services.pool.query(`UPDATE data_set_run SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
      runId,
    ])
    expect(await refusal(fetchBy(long.path))).toBe('not_found')
    await sweepRuns(world.services)
    expect(await refusal(fetchBy(long.path))).toBe('not_found')
  })

  it('cannot be prolonged or turned to another run in the database: its signature is over both', async () => {
    const runId = await finishedRun()
    const one = await make(runId, { hours: 1 })
    const two = await make(runId)
    await world.services.pool.query(`UPDATE data_set_link SET expires_at = expires_at + interval '1 hour'`)
    expect(await refusal(fetchBy(one.path))).toBe('not_found')
    const signature = one.path?.split('/').at(-1)
    expect(await refusal(fetchBy(two.path?.replace(/[^/]+$/, signature ?? '') ?? null))).toBe('not_found')
  })

  it('answers only while who made it may take the data out', async () => {
    const runId = await finishedRun(otherAdmin)
    const { path } = await make(runId, { who: otherAdmin })
    expect((await fetchBy(path)).length).toBeGreaterThan(100)
    const { pool } = world.services
    await pool.query(`UPDATE member SET role = 'CRC' WHERE user_id = $1`, [otherAdmin.userId])
    expect(await refusal(fetchBy(path))).toBe('not_found')
    await pool.query(`UPDATE member SET role = 'ADMIN' WHERE user_id = $1`, [otherAdmin.userId])
    expect((await fetchBy(path)).length).toBeGreaterThan(100)
    await pool.query(`UPDATE app_user SET status = 'disabled' WHERE id = $1`, [otherAdmin.userId])
    expect(await refusal(fetchBy(path))).toBe('not_found')
  })

  it('is told without its address to others who see the run, who may end it', async () => {
    const runId = await finishedRun()
    const { id, path } = await make(runId)
    expect(await links(runId, otherAdmin)).toMatchObject([{ id, path: null, state: 'open' }])
    expect(await end(id, otherAdmin)).toMatchObject({ state: 'ended', endedByName: otherAdmin.realName })
    expect(await refusal(fetchBy(path))).toBe('not_found')
  })
})

describe('no link is made', () => {
  it('to data that leave as they are', async () => {
    const { admin } = world.people
    await entered(world)
    const { id } = await ask(world, admin, define({ deidentify: AS_IS }))
    await decide(world, otherAdmin, id)
    await runDataSets(world.services)
    expect((await archiveOf(world, admin, id)).length).toBeGreaterThan(100)
    expect(await refusal(make(id, { who: admin }))).toBe('forbidden')
  })

  it('to a run of somebody else, or one without a file', async () => {
    const runId = await finishedRun()
    expect(await refusal(make(runId, { who: otherAdmin }))).toBe('not_found')
    const { id } = await ask(world, manager)
    expect(await refusal(make(id))).toBe('transition_refused')
  })

  it('and none is told or ended without the right to export, or from outside', async () => {
    const { lin, stranger } = world.people
    const runId = await finishedRun()
    const { id } = await make(runId)
    for (const [who, why] of [
      [lin, 'forbidden'],
      [stranger, 'not_found'],
    ] as const) {
      expect(await refusal(make(runId, { who }))).toBe(why)
      expect(await refusal(links(runId, who))).toBe(why)
      expect(await refusal(end(id, who))).toBe(why)
    }
  })
})

describe('over HTTP', () => {
  it('an address that was not signed here is not found, without any header, and is written into no log', async () => {
    const server = await createTestServer()
    try {
      const path = `/api/edc/linked/${newId()}/${'A'.repeat(43)}`
      const answer = await server.app.inject({ method: 'GET', url: path })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ success: false, code: 404 })
      expect(server.log.join('\n')).not.toContain('A'.repeat(43))
    } finally {
      await server.close()
    }
  })
})
