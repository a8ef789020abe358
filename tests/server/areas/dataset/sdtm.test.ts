import { strFromU8, unzipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import { newId } from '#core/ids.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, event, refusal, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { archiveOf, ask, define, entered, preview, recordsOf, runOf, takeOut } from './support.ts'

/** Tables of SDTM, from the proposal to the files. */

const world = worldForEachTest()
let mapping: SdtmMapping
beforeEach(async () => {
  const proposed = await proposal(world.people.manager)
  if (proposed === null) throw new Error('nothing was proposed')
  mapping = { ...proposed, study: 'XAK-01' }
})

function proposal(who: Person) {
  return call(world, who, 'dataset.sdtm', { query: { projectId: world.study.projectId } })
}

/** What somebody made of the proposal: also the drugs, and the person to call. */
function editedMapping(): SdtmMapping {
  return {
    ...mapping,
    domains: [
      ...mapping.domains.filter(({ domain }) => domain !== 'CM'),
      {
        domain: 'CM',
        class: 'interventions',
        label: 'Medications',
        sources: [
          {
            page: 'VS',
            table: 'drugs',
            values: { CMTRT: { field: 'drug' }, CMDOSE: { field: 'dose' }, CMINDC: { field: 'contact' } },
          },
        ],
      },
    ],
  }
}

const json = (more: Parameters<typeof define>[0] = {}) =>
  define({ formats: ['sdtm-json'], sdtm: editedMapping(), ...more })

interface DatasetJson {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** The rows of a table as records; cells without a value are left out. */
function rowsIn(text: string | undefined): readonly Readonly<Record<string, string | number | null>>[] {
  const { columns, rows } = JSON.parse(text ?? '') as DatasetJson
  return rows.map((row) =>
    Object.fromEntries(columns.flatMap(({ name }, at) => (row[at] === null ? [] : [[name, row[at] ?? null]]))),
  )
}

describe('a proposal', () => {
  it('is of the project’s pages, for who may export', async () => {
    expect(mapping.domains.map(({ domain }) => domain)).toEqual(['DM', 'VS', 'AE', 'CM'])
    const tests = mapping.domains.find(({ domain }) => domain === 'VS')?.sources[0]?.tests
    expect(tests?.map(({ code }) => code)).toEqual(['HEIGHT', 'WEIGHT', 'BMI'])
    expect(await refusal(proposal(world.people.lin))).toBe('forbidden')
    expect(await refusal(proposal(world.people.stranger))).toBe('not_found')
  })
})

describe('a run', () => {
  it('makes a data set for each table, define.xml, and notes of what has no place there', async () => {
    const { manager, south } = world.people
    await entered(world, { height: 170, weight: 65 })
    const far = await entered(world, { height: 160 }, { who: south, center: world.study.south })
    await save(world, south, change(event(world, far.patientId, newId()), { term: '头痛' }))
    const definition = define({ formats: ['csv', 'sdtm-xport5', 'sdtm-json'], sdtm: editedMapping() })
    const { id } = await ask(world, manager, definition)
    await runDataSets(world.services)
    const files = unzipSync(await archiveOf(world, manager, id))
    const names = Object.keys(files).filter((name) => name.startsWith('sdtm-'))
    expect(names.toSorted()).toEqual(
      [
        ...['ae', 'cm', 'dm', 'vs'].map((name) => `sdtm-json/${name}.json`),
        ...['ae', 'cm', 'dm', 'vs'].map((name) => `sdtm-xport5/${name}.xpt`),
        ...['sdtm-json', 'sdtm-xport5'].flatMap((folder) => [`${folder}/define.xml`, `${folder}/notes.csv`]),
      ].toSorted(),
    )
    const text = (name: string) => strFromU8(files[name] ?? new Uint8Array())
    const results = rowsIn(text('sdtm-json/vs.json')).map(({ VSTESTCD, VSSTRESN }) => [VSTESTCD, VSSTRESN])
    expect(results).toEqual([
      ['HEIGHT', 170],
      ['WEIGHT', 65],
      ['BMI', expect.closeTo(22.49, 2)],
      ['HEIGHT', 160],
    ])
    // A subject has one name in all files of an archive.
    const keys = recordsOf(text('csv/subjects.csv')).map((row) => `XAK-01-${row['subject_key'] ?? ''}`)
    expect(rowsIn(text('sdtm-json/dm.json')).map(({ USUBJID }) => USUBJID)).toEqual(keys)
    const notes = recordsOf(text('sdtm-xport5/notes.csv'))
    expect(notes.map((row) => row['变量名'])).toContain('smokes')
    expect((await runOf(world, manager, id))?.tables).toContainEqual({ name: 'SDTM.VS', rows: 4 })
  })

  it('is seen before it is made, as it would leave', async () => {
    await entered(world, { height: 170, contact: '王五' })
    const { tables } = await preview(world, world.people.manager, json())
    expect(tables?.map(({ name }) => name)).toEqual(['SDTM.DM', 'SDTM.VS', 'SDTM.AE', 'SDTM.CM'])
    expect(JSON.stringify(tables)).not.toContain('王五')
  })

  it('is refused without a mapping, or with one that breaks SDTM’s rules', async () => {
    const { manager } = world.people
    const { sdtm: _none, ...without } = json()
    expect(await refusal(ask(world, manager, without))).toBe('invalid')
    const twice = { ...mapping, domains: mapping.domains.flatMap((one) => [one, one]) }
    expect(await refusal(ask(world, manager, json({ sdtm: twice })))).toBe('invalid')
  })
})

describe('what the reader may not see', () => {
  it('is in no file: a field, a center, free text, real dates and numbers', async () => {
    const { manager, south } = world.people
    const investigator = await addMember(world.services, world.study, 'pi', 'PI', [world.study.north])
    await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
      investigator.deviceId,
      investigator.userId,
    ])
    const near = await entered(world, { height: 171, contact: '王五' })
    await save(world, world.people.lin, change(event(world, near.patientId, newId()), { term: '李四说头痛' }))
    await entered(world, { height: 181 }, { who: south, center: world.study.south })
    const own = await takeOut(world, investigator, json())
    expect(rowsIn(own['sdtm-json/vs.json']).map(({ VSORRES }) => VSORRES)).toEqual(['171'])
    expect(rowsIn(own['sdtm-json/dm.json'])).toHaveLength(1)
    const all = await takeOut(world, manager, json())
    expect(rowsIn(all['sdtm-json/dm.json'])).toHaveLength(2)
    const { rows } = await world.services.pool.query<{ no: string; enrolled: string }>(
      `SELECT no, to_char(enrolled_on, 'YYYY-MM-DD') AS enrolled FROM patient`,
    )
    const numbers = rows.flatMap(({ no }) => (no === null ? [] : [no]))
    for (const [name, text] of Object.entries(all)) {
      if (!name.startsWith('sdtm-')) continue
      for (const planted of ['王五', '李四', '张三', ...numbers])
        expect([name, planted, text.includes(planted)]).toEqual([name, planted, false])
    }
    const define = all['sdtm-json/define.xml'] ?? ''
    expect(define).not.toContain('CMINDC')
    expect(define).not.toContain('contact')
    expect(recordsOf(all['sdtm-json/notes.csv']).map((row) => row['内容'])).toContain('VS.drugs.contact')
    const dates = rowsIn(all['sdtm-json/dm.json']).map(({ RFSTDTC }) => RFSTDTC)
    expect(dates.every((date) => typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date))).toBe(true)
    expect(dates).not.toEqual(rows.map(({ enrolled }) => enrolled))
  })

  it('is a field that the data set does not hold', async () => {
    await entered(world, { height: 171, weight: 65 })
    const pages = [{ pageId: world.study.vitalsId, fields: [{ table: null, code: 'weight' }] }]
    const files = await takeOut(world, world.people.manager, json({ pages }))
    expect(rowsIn(files['sdtm-json/vs.json']).map(({ VSTESTCD }) => VSTESTCD)).toEqual(['WEIGHT'])
    expect(files['sdtm-json/define.xml']).not.toContain('HEIGHT')
  })
})

describe('a saved data set', () => {
  it('keeps its mapping, and the trail has it', async () => {
    const { manager } = world.people
    const { projectId } = world.study
    const id = newId()
    const body = { projectId, id, rev: 0, name: '递交', shared: false, definition: json() }
    await call(world, manager, 'dataset.save', { body })
    const [set] = await call(world, manager, 'dataset.list', { query: { projectId } })
    expect(set?.definition.sdtm).toEqual(editedMapping())
  })
})
