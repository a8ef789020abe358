import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import type { ApiError } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import { callOf } from '#core/api/table.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { newId } from '#core/ids.ts'
import type { Client } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { changeStatus, createProject, joinAs } from '#tests/server/support/project.ts'
import { parts, sheetXml, workbook, zipped } from '#tests/core/exchange/sheet/making.ts'

const server = serverForAllTests()
let admin: Client
beforeAll(async () => {
  admin = await server.signInAdmin()
})

const HEAD = ['存储值', '名称', '英文名称', '上级存储值']

interface Ground {
  readonly projectId: string
  readonly id: string
}

/** A dictionary with an entry and one below it. */
async function makeDictionary(): Promise<Ground> {
  const { id: projectId } = await createProject(admin)
  await changeStatus(admin, projectId, 'process')
  const { id } = await admin.get<DictRow>('projectDict.fastSubmit', {
    body: {
      projectId,
      code: 'DIS',
      dictValue: '疾病',
      children: [{ dictKey: 'A', dictValue: '肺系病', labelEn: 'Lung' }],
    },
  })
  const [first] = await admin.get<DictRow[]>('projectDict.childList', { query: { projectId, parentId: id } })
  await admin.get('projectDict.submit', { body: { projectId, parentId: first?.id, dictKey: 'A01', dictValue: '=1+1' } })
  return { projectId, id }
}

/** The template as it is saved by somebody. */
async function download(by: Client, id: string, language = 'zh') {
  const response = await server.app.inject({
    method: 'GET',
    url: `/api${callOf('projectDict.templateFile').path.replace(':parentDictId', id)}`,
    headers: { ...by.headers(), 'accept-language': language },
  })
  const read = readSheets(new Uint8Array(response.rawPayload))
  return {
    name: String(response.headers['content-disposition']),
    bytes: new Uint8Array(response.rawPayload),
    rows: read.ok ? read.sheets[0]?.rows.map(({ cells }) => cells) : read.error,
  }
}

/** Sends a file as a form does. */
async function upload(
  id: string,
  bytes: Uint8Array,
  { by = admin, key = newId() } = {},
): Promise<{ success: boolean; data?: unknown; error?: ApiError }> {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(bytes)]), 'entries.xlsx')
  const request = new Request('http://ward.test', { method: 'POST', body: form })
  const response = await server.app.inject({
    method: 'POST',
    url: `/api${callOf('projectDict.template').path.replace(':parentDictId', id)}`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      ...by.headers(),
      'content-type': request.headers.get('content-type') ?? '',
      [headers.idempotencyKey]: key,
    },
  })
  return response.json()
}

const sheetOf = (...rows: readonly (readonly string[])[]): Uint8Array => workbook({ 字典: [HEAD, ...rows] })
const tree = ({ projectId, id }: Ground): Promise<DictRow[]> =>
  admin.get('projectDict.childList', { query: { projectId, parentId: id } })

describe('the template of a dictionary', () => {
  it('holds its entries as texts that no spreadsheet runs, each after the one above it, in the reader’s language', async () => {
    const { id } = await makeDictionary()
    const zh = await download(admin, id)
    expect(zh.name).toContain('DIS.xlsx')
    expect(zh.rows).toEqual([HEAD, ['A', '肺系病', 'Lung'], ['A01', '=1+1', '', 'A']])
    expect((await download(admin, id, 'en')).rows).toMatchObject([
      ['Value', 'Label', 'English label', 'Value of parent'],
      {},
      {},
    ])
  })

  it('comes back as it is without changing anything', async () => {
    const ground = await makeDictionary()
    const before = await tree(ground)
    for (const language of ['zh', 'en']) {
      expect(await upload(ground.id, (await download(admin, ground.id, language)).bytes)).toMatchObject({
        data: { added: 0, changed: 0 },
      })
    }
    expect(await tree(ground)).toEqual(before)
  })

  it('adds what the dictionary lacks, on its level, changes labels, and takes nothing away; once under one key', async () => {
    const ground = await makeDictionary()
    const file = sheetOf(['B', '心系病', 'Heart'], ['B01', '胸痹', '', 'B'], ['A', '肺病', ''])
    const key = newId()
    expect(await upload(ground.id, file, { key })).toMatchObject({ data: { added: 2, changed: 1 } })
    expect(await upload(ground.id, file, { key })).toMatchObject({ data: { added: 2, changed: 1 } })
    expect((await upload(ground.id, sheetOf(['C', '脾系病']), { key })).error?.code).toBe('key_reused')
    expect(await tree(ground)).toMatchObject([
      { dictKey: 'A', dictValue: '肺病', labelEn: null, children: [{ dictKey: 'A01' }] },
      { dictKey: 'B', dictValue: '心系病', labelEn: 'Heart', children: [{ dictKey: 'B01', dictValue: '胸痹' }] },
    ])
  })

  it('is refused as a whole where rows are wrong, which are named as the spreadsheet numbers them', async () => {
    const ground = await makeDictionary()
    const { error } = await upload(
      ground.id,
      sheetOf(
        ['B', '心系病'],
        ['', '无值'],
        ['B', '又'],
        ['A01', '咳嗽'],
        ['C', '丙', '', 'Z'],
        ['A', '甲'],
        ['A', '乙'],
      ),
    )
    expect(error).toMatchObject({
      code: 'invalid',
      fields: [
        { path: 'file.3', code: 'no_key' },
        { path: 'file.4', code: 'duplicate', params: { key: 'B' } },
        { path: 'file.5', code: 'unknown_parent', params: { key: 'A01' } },
        { path: 'file.6', code: 'unknown_parent' },
        { path: 'file.8', code: 'duplicate' },
      ],
    })
    expect((await tree(ground)).map(({ dictKey }) => dictKey)).toEqual(['A'])
  })

  it('is filled in by nobody without the right, and for no entry in place of a dictionary', async () => {
    const ground = await makeDictionary()
    const { client: crc } = await joinAs(server, admin, ground.projectId, 'templateCrc', 'CRC')
    expect((await download(crc, ground.id)).rows).toHaveLength(3)
    expect((await upload(ground.id, sheetOf(['B', '心系病']), { by: crc })).error?.code).toBe('forbidden')
    const [entry] = await tree(ground)
    expect((await upload(entry?.id ?? '', sheetOf(['B', '心系病']))).error?.code).toBe('not_found')
    expect((await upload(newId(), sheetOf(['B', '心系病']))).error?.code).toBe('not_found')
  })
})

const MANY = `<row><c t="inlineStr"><is><t>${'x'.repeat(1_000)}</t></is></c></row>`.repeat(12_000)
const HOSTILE: readonly (readonly [string, Uint8Array, string])[] = [
  ['a text', strToU8('a,b\n1,2'), 'unsupported_media'],
  ['nothing', new Uint8Array(), 'unsupported_media'],
  ['an archive of something else', zipSync({ 'readme.txt': strToU8('hello') }), 'unsupported_media'],
  ['half a workbook', sheetOf(['B', '心系病']).subarray(0, 300), 'unsupported_media'],
  [
    'a workbook that grows beyond measure',
    zipped(parts({ a: `<worksheet><sheetData>${MANY}</sheetData></worksheet>` })),
    'too_large',
  ],
  [
    'a workbook with entities',
    zipped(parts({ a: `<!DOCTYPE x [<!ENTITY e "eee">]>${sheetXml([HEAD])}` })),
    'unsupported_media',
  ],
  ['more bytes than a dictionary needs', new Uint8Array(1_000_001).fill(0x50), 'too_large'],
  ['a workbook of another shape', workbook({ a: [['姓名', '电话']] }), 'invalid'],
  [
    'more rows than a dictionary has',
    workbook({ a: [HEAD, ...Array.from({ length: 5_001 }, (_, at) => [`k${at}`, '项'])] }),
    'invalid',
  ],
]

it.each(HOSTILE)('a file that is %s is refused in words, quickly, and changes nothing', async (_what, bytes, code) => {
  const ground = await makeDictionary()
  const start = performance.now()
  const answer = await upload(ground.id, bytes)
  expect(performance.now() - start).toBeLessThan(10_000)
  expect(answer).toMatchObject({ success: false, error: { code } })
  expect(await tree(ground)).toHaveLength(1)
})
