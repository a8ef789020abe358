import { Buffer } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { sdtmFormatIds, tableFormatIds } from '#core/dataset/formats.ts'
import type { SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import { newId } from '#core/ids.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import { createLog } from '#server/log.ts'
import { addVersion, announce, change, enrol, item, save, vitals } from '#tests/server/support/world.ts'
import type { World } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { archiveOf, ask, define, preview } from './support.ts'

/** What identifies a person is planted wherever a person can write it, and looked for wherever data leave. */

const world = worldForEachTest()

/** Of the enrolment, of fields, of missing reasons, of a table, of a file's name: none may leave. */
const PLANTED = [
  '张三',
  '13800000000',
  '1960-02-29',
  '王小明',
  '李家地址',
  '身份证号4401',
  '约七十公斤',
  '照片赵六',
  '2026-11-02',
  '2024-05-06',
]

const VITALS = JSON.stringify({
  column: [
    { prop: 'height', label: '身高', type: 'number' },
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'age', label: '年龄', type: 'number' },
    { prop: 'smokes', label: '吸烟', type: 'radio', dicData: [{ label: '是', value: '1' }] },
    { prop: 'contact', label: '联系人', type: 'input', zl: { identifier: true } },
    { prop: 'note', label: '备注', type: 'textarea' },
    { prop: 'seen', label: '就诊日期', type: 'date' },
    { prop: 'photos', label: '照片', type: 'upload' },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input' },
          { prop: 'dose', label: '剂量', type: 'number' },
        ],
      },
    },
  ],
})

/** A mapping that asks for every field, also for those that may not leave. */
const EVERYTHING: SdtmMapping = {
  format: 'zhenglu-sdtm',
  version: 1,
  study: 'XAK-01',
  standard: '3.4',
  visits: [],
  domains: [
    {
      domain: 'DM',
      class: 'special-purpose',
      label: 'Demographics',
      sources: [
        { page: 'VS', values: { INVNAM: { field: 'contact' }, BRTHDTC: { field: 'seen' }, AGE: { field: 'age' } } },
      ],
    },
    {
      domain: 'VS',
      class: 'findings',
      label: 'Vital Signs',
      sources: [
        {
          page: 'VS',
          values: { VSDTC: { field: 'seen' }, VSSPID: { field: 'photos' }, VSCAT: { field: 'smokes' } },
          tests: ['height', 'weight', 'note', 'smokes', 'contact'].map((field) => ({
            code: field.toUpperCase(),
            name: field,
            result: { field },
          })),
        },
      ],
    },
    {
      domain: 'CM',
      class: 'interventions',
      label: 'Medications',
      sources: [{ page: 'VS', table: 'drugs', values: { CMTRT: { field: 'drug' }, CMDOSE: { field: 'dose' } } }],
    },
  ],
}

async function plant({ services, study, people }: World): Promise<string> {
  const { lin, admin } = people
  const versionId = newId()
  await addVersion(services.pool, study, admin, { id: versionId, no: 2, vitals: VITALS })
  await announce(services.pool, study, admin, [{ kind: 'version', rowId: versionId }])
  const target = vitals({ study }, await enrol(world))
  const rid = newId()
  const rows = [{ table: 'drugs', rid, to: { deleted: false, order: 'V' }, base: null, seen: null, reason: null }]
  await save(
    world,
    lin,
    change(
      target,
      {
        height: 170,
        weight: '约七十公斤',
        age: 93,
        smokes: item('smokes', null, null, { to: { value: null, missing: { m: 'UNK', reason: '李家地址' } } }),
        contact: '王小明',
        note: '身份证号4401',
        seen: '2024-05-06',
        photos: [{ id: newId(), name: '照片赵六.png', type: 'image/png', size: 10, hash: 'a'.repeat(64) }],
        drug: item('drug', null, '王小明的药', { table: 'drugs', rid }),
        dose: item('dose', null, 5, { table: 'drugs', rid }),
      },
      { rows },
    ),
    { crfId: versionId },
  )
  return target.patientId
}

const TIMEOUT_MS = 120_000

it(
  'is found in no file of a de-identified run, and in nothing that is kept of it',
  { timeout: TIMEOUT_MS },
  async () => {
    const { manager } = world.people
    const patientId = await plant(world)
    const lines: string[] = []
    const services = { ...world.services, log: createLog({ level: 'trace', write: (line) => lines.push(line) }) }
    const ages = [{ pageId: world.study.vitalsId, table: null, code: 'age' }]
    for (const shape of ['long', 'flat'] as const) {
      const definition = define({
        shape,
        values: 'both',
        reasons: true,
        formats: [...tableFormatIds, ...sdtmFormatIds],
        sdtm: EVERYTHING,
        about: ['version', 'status', 'submitted', 'saved', 'queries', 'review', 'conflicts'],
        deidentify: { on: true, keepText: [], ages },
      })
      const { id } = await ask(world, manager, definition)
      await runDataSets(services)
      const archive = await archiveOf(world, manager, id)
      const files = Object.entries(unzipSync(archive)).map(([name, bytes]) => textsIn(name, bytes))
      const { rows } = await world.database.ownerPool.query(
        `SELECT (SELECT jsonb_agg(to_jsonb(r)) FROM data_set_run r)::text AS runs,
        (SELECT jsonb_agg(to_jsonb(v)) FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action LIKE 'dataset.%')::text AS trail,
        (SELECT jsonb_agg(to_jsonb(j)) FROM job j)::text AS jobs`,
      )
      const shown = JSON.stringify(await preview(world, manager, definition))
      const places = { files: files.join('\n'), kept: JSON.stringify(rows), shown, log: lines.join('\n') }
      for (const [place, text] of Object.entries(places)) {
        for (const planted of [...PLANTED, patientId, 'lin (测试)'])
          expect({ place, planted, found: text.includes(planted) }).toEqual({ place, planted, found: false })
      }
      // What may leave does, and an age above 90 is 90.
      expect(places.files).toContain('170')
      const csv = files.find((text) => text.startsWith(shape === 'long' ? 'csv/VS.csv' : 'csv/flat.csv'))
      expect(csv).toMatch(/,90,/)
      expect(csv).not.toMatch(/,93,/)
    }
  },
)

it('keeps a pseudonym, and the distance between dates, from run to run', async () => {
  const { manager } = world.people
  await plant(world)
  const rowsOf = async () => (await preview(world, manager)).tables?.find(({ name }) => name === 'VS')?.rows[0]
  expect(await rowsOf()).toEqual(await rowsOf())
  const subjects = (await preview(world, manager)).tables?.find(({ name }) => name === 'subjects')
  expect(subjects?.variables.map(({ name }) => name)).toEqual(['subject_key', 'center', 'sex', 'enrolled_on'])
  expect(subjects?.rows[0]?.[0]).toMatch(/^S[0-9A-F]{20}$/)
})

it('warns of groups in which a person may be recognised', async () => {
  await enrol(world)
  expect((await preview(world, world.people.manager)).small).toEqual([{ center: 'N01', sex: 'F', subjects: 1 }])
})

/** What a file says as text: as UTF-8 and UTF-16, and what lies packed in it. */
function textsIn(name: string, bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  const packed = name.endsWith('.xlsx')
    ? Object.values(unzipSync(bytes)).map((part) => Buffer.from(part).toString('utf8'))
    : buffer[0] === 0x1f && buffer[1] === 0x8b
      ? [gunzipSync(buffer).toString('utf8')]
      : []
  return [name, buffer.toString('utf8'), buffer.toString('utf16le'), ...packed].join('\n')
}
