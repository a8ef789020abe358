import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import { keepHouse } from '#server/jobs/housekeeping.ts'
import type { FileStore } from '#server/storage/fileStore.ts'
import { pieceName } from '#server/storage/sealedPieces.ts'
import { call, change, event, refusal, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { textOfPdf } from '#tests/server/support/pdf.ts'
import { addAdmin, casebook, papersIn, readOf } from './clinical/support.ts'
import { archiveOf, ask, decide, define, entered, filesIn, recordsOf, runOf } from './support.ts'

/** A run that is cancelled, interrupted or left alone, and data that change while it reads. */

const world = worldForEachTest()
const DAY_MS = 86_400_000

/** A store that does something when a piece is about to be kept. */
function watched(files: FileStore, onPut: () => Promise<void>): FileStore {
  return {
    ...files,
    put: async (name, content) => {
      await onPut()
      await files.put(name, content)
    },
  }
}

const cancel = (id: string, who = world.people.manager) =>
  call(world, who, 'dataset.cancel', { body: { projectId: world.study.projectId, id } })

/** A run of either kind that was asked for and waits for a server, and how many adverse events its files have. */
const KINDS = [
  {
    kind: 'tables',
    begin: async () => ({ who: world.people.manager, id: (await ask(world, world.people.manager)).id }),
    eventsIn: async (archive: Uint8Array) => recordsOf(filesIn(archive)['csv/AE.csv']).length,
  },
  {
    kind: 'casebooks for paper',
    begin: async () => {
      const { admin: who } = world.people
      const approver = await addAdmin(world, 'second', [world.study.north])
      const { id } = await ask(world, who, casebook({ formats: ['pdf'] }))
      await decide(world, approver, id)
      return { who, id }
    },
    eventsIn: async (archive: Uint8Array) => {
      const texts = await Promise.all(Object.values(papersIn(archive)).map(textOfPdf))
      return texts.join('').match(/不良事件 +头痛/g)?.length ?? 0
    },
  },
  {
    kind: 'casebooks with their trail',
    begin: async () => {
      const { admin: who } = world.people
      const approver = await addAdmin(world, 'second', [world.study.north])
      const { id } = await ask(world, who, casebook({ formats: ['odm-2.0-trail'] }))
      await decide(world, approver, id)
      return { who, id }
    },
    eventsIn: async (archive: Uint8Array) =>
      readOf(filesIn(archive), 'odm-2.0-trail')
        .subjects.flatMap(({ pages }) => pages)
        .filter(({ page }) => page === 'AE').length,
  },
]

describe('a run', () => {
  it('that is cancelled before it begins never begins', async () => {
    const { manager } = world.people
    const { id } = await ask(world, manager)
    expect(await cancel(id)).toMatchObject({ state: 'cancelled', cancelledByName: 'manager (测试)' })
    await runDataSets(world.services)
    expect(await runOf(world, manager, id)).toMatchObject({ state: 'cancelled', hash: null })
    expect(await refusal(cancel(id))).toBe('transition_refused')
  })

  it.each(KINDS)(
    'of $kind that is cancelled while it is written comes to nothing, and its pieces are deleted',
    async ({ begin }) => {
      await entered(world)
      const { who, id } = await begin()
      const files = watched(world.services.files, async () => {
        await cancel(id, who)
      })
      await runDataSets({ ...world.services, files })
      expect(await runOf(world, who, id)).toMatchObject({ state: 'cancelled', hash: null })
      expect(await refusal(archiveOf(world, who, id))).toBe('not_found')
      const later = () => new Date(Date.now() + DAY_MS).toISOString()
      await keepHouse({ ...world.services, now: later })
      expect(await piecesLeft(id)).toEqual([true, 0])
    },
  )

  it.each(KINDS)('of $kind goes on after its server died, from a new instant', async ({ begin, eventsIn }) => {
    const { lin } = world.people
    const target = await entered(world, { height: 171 })
    const { who, id } = await begin()
    const dying = watched(world.services.files, () => Promise.reject(new Error('the disk went away')))
    await runDataSets({ ...world.services, files: dying })
    expect(await runOf(world, who, id)).toMatchObject({ state: 'open' })
    await save(world, lin, change(event(world, target.patientId, newId()), { term: '头痛' }))
    await world.database.ownerPool.query('UPDATE job SET due_at = now() WHERE id = $1', [id])
    await runDataSets(world.services)
    expect(await eventsIn(await archiveOf(world, who, id))).toBe(1)
    const { rows } = await world.database.ownerPool.query('SELECT attempt FROM data_set_run WHERE id = $1', [id])
    expect(rows).toEqual([{ attempt: 2 }])
  })

  it('that fails each time is given up, with nothing of what failed in its words', async () => {
    const { manager } = world.people
    await entered(world)
    const { id } = await ask(world, manager)
    const failing = watched(world.services.files, () => Promise.reject(new Error('王五')))
    for (let time = 0; time < 6; time += 1) {
      await runDataSets({ ...world.services, files: failing })
      await world.database.ownerPool.query('UPDATE job SET due_at = now() WHERE id = $1', [id])
    }
    expect(await runOf(world, manager, id)).toMatchObject({ state: 'failed', why: 'died' })
  })

  it('is of one instant, while saves go on', async () => {
    const { manager, lin } = world.people
    const target = await entered(world, { height: 171 })
    const { id } = await ask(world, manager, define({ formats: ['csv', 'dataset-json'] }))
    let saved = false
    const { rows } = await world.database.ownerPool.query<{ seq: number }>('SELECT seq FROM project')
    const files = watched(world.services.files, async () => {
      if (saved) return
      saved = true
      await save(world, lin, change(event(world, target.patientId, newId()), { term: '头痛' }))
    })
    await runDataSets({ ...world.services, files })
    expect(saved).toBe(true)
    expect(await runOf(world, manager, id)).toMatchObject({ state: 'done', seq: rows[0]?.seq })
    expect(recordsOf(filesIn(await archiveOf(world, manager, id))['csv/AE.csv'])).toEqual([])
  })

  it('has its file deleted after seven days; the record stays', async () => {
    const { manager } = world.people
    await entered(world)
    const { id } = await ask(world, manager)
    await runDataSets(world.services)
    const now = (days: number) => () => new Date(Date.now() + days * DAY_MS).toISOString()
    await keepHouse({ ...world.services, now: now(6) })
    expect(await runOf(world, manager, id)).toMatchObject({ state: 'done', mayDownload: true })
    await keepHouse({ ...world.services, now: now(8) })
    const run = await runOf(world, manager, id)
    expect(run).toMatchObject({ state: 'expired', mayDownload: false, subjects: 1 })
    expect(run?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await refusal(archiveOf(world, manager, id))).toBe('not_found')
    expect(await piecesLeft(id)).toEqual([true, 0])
  })

  it('is in the trail from its asking to its end, with every download', async () => {
    const { manager } = world.people
    await entered(world)
    const { id } = await ask(world, manager)
    await runDataSets(world.services)
    await archiveOf(world, manager, id)
    await archiveOf(world, manager, id)
    const { rows } = await world.database.ownerPool.query<{ action: string; who: string }>(
      `SELECT action, user_name AS who FROM audit WHERE action LIKE 'dataset.%' ORDER BY seq, ord`,
    )
    expect(rows.map(({ action, who }) => `${action} ${who}`)).toEqual([
      'dataset.run manager (测试)',
      'dataset.end server',
      'dataset.download manager (测试)',
      'dataset.download manager (测试)',
    ])
    expect(await runOf(world, manager, id)).toMatchObject({ downloads: 2 })
  })
})

/** Whether a run's file is marked as deleted, and how many of its pieces are there. */
async function piecesLeft(id: string): Promise<readonly [boolean, number]> {
  const { rows } = await world.database.ownerPool.query<{ swept: boolean; attempt: number }>(
    'SELECT swept, attempt FROM data_set_run WHERE id = $1',
    [id],
  )
  const name = { projectId: world.study.projectId, id, attempt: rows[0]?.attempt ?? 0 }
  return [rows[0]?.swept ?? false, (await world.services.files.size(pieceName(name, 0))) === null ? 0 : 1]
}
