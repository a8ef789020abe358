import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { tableFormatIds } from '#core/dataset/formats.ts'
import { newId } from '#core/ids.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import { change, event, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { archiveOf, ask, define, entered, filesIn, recordsOf, runOf, takeOut } from './support.ts'

/** A run from asking to its archive. */

const world = worldForEachTest()

describe('a run', () => {
  it('makes an archive of data, dictionary, notes and manifest, with the hashes of all', async () => {
    const { manager, south } = world.people
    await entered(world, { height: 170, weight: '约70', smokes: '1', packs: 2, signs: ['a'] }, { submit: false })
    const far = await entered(world, { height: 160 }, { who: south, center: world.study.south })
    await save(world, south, change(event(world, far.patientId, newId()), { term: '头痛' }))
    const { id } = await ask(world, manager)
    expect(await runOf(world, manager, id)).toMatchObject({ state: 'open', mayDownload: false, mayCancel: true })
    await runDataSets(world.services)
    const run = await runOf(world, manager, id)
    expect(run).toMatchObject({ state: 'done', mayDownload: true, subjects: 2, isIdentified: false })
    expect(run?.done).toBe(run?.total)
    const archive = await archiveOf(world, manager, id)
    expect(createHash('sha256').update(archive).digest('hex')).toBe(run?.hash)
    expect(archive.length).toBe(run?.bytes)
    const files = filesIn(archive)
    expect(Object.keys(files).toSorted()).toEqual([
      'csv/AE.csv',
      'csv/VS.csv',
      'csv/VS_drugs.csv',
      'csv/retired.csv',
      'csv/subjects.csv',
      'dictionary.csv',
      'manifest.json',
      'notes.txt',
    ])
    const manifest = JSON.parse(files['manifest.json'] ?? '') as {
      files: { name: string; sha256: string }[]
      tables: { name: string; rows: number }[]
    }
    for (const { name, sha256 } of manifest.files)
      expect([
        name,
        createHash('sha256')
          .update(unzipSync(archive)[name] ?? '')
          .digest('hex'),
      ]).toEqual([name, sha256])
    expect(manifest.tables).toEqual([
      { name: 'subjects', rows: 2 },
      { name: 'VS', rows: 2 },
      { name: 'VS_drugs', rows: 0 },
      { name: 'AE', rows: 1 },
      { name: 'retired', rows: 0 },
    ])
    expect(recordsOf(files['csv/VS.csv']).map(({ height, bmi }) => [height, bmi])).toEqual([
      ['170', ''],
      ['160', ''],
    ])
    expect(files['notes.txt']).toContain('已脱敏')
  })

  it('is written in every format of tables, of which each says what it could not take', async () => {
    const { manager } = world.people
    await entered(world, { height: '约170', weight: 65, smokes: '1', packs: 2, signs: ['a'] }, { submit: false })
    const formats = [...tableFormatIds]
    const files = await takeOut(world, manager, define({ formats, values: 'both', reasons: true }))
    const folders = new Set(Object.keys(files).flatMap((name) => /^(.+)\//.exec(name)?.slice(1) ?? []))
    expect([...folders].toSorted()).toEqual(formats.toSorted())
  })
})
