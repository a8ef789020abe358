import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import type { TreeFolder, VersionSummary } from '#core/api/calls/version.ts'
import type { ApiError } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import { callOf } from '#core/api/table.ts'
import type { CallId } from '#core/api/table.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { parts, sheetXml, workbook, zipped } from '#tests/core/exchange/sheet/making.ts'
import { createTestServer } from '#tests/server/support/app.ts'
import type { Client, TestServer } from '#tests/server/support/app.ts'
import {
  addCenter,
  changeStatus,
  createProject,
  definitionOf,
  joinAs,
  SOUND,
  unnamedPatient,
} from '#tests/server/support/project.ts'
import { change } from '#tests/server/support/world.ts'

/**
 * Definitions that mean harm, by every door that takes one: they are refused with an error that says why, or taken as
 * the text that they are. Nothing is half written, and whoever asks the server for something else meanwhile is
 * answered.
 */

let server: TestServer
let admin: Client
const said: string[] = []

beforeAll(async () => {
  server = await createTestServer()
  admin = await server.signInAdmin()
})
afterAll(async () => {
  process.stdout.write(`hostile definitions at the server:\n${said.join('\n')}\n`)
  await server.close()
})

/** Long enough for a busy machine, far too short for anything that is not linear. */
const BOUND_MS = 20_000
/** How long somebody else may wait for an answer meanwhile. */
const MEANWHILE_MS = 3_000
const GROWN_MB = 1_000

interface Answer {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: ApiError
}

/** Sends what was made before, and asks for something else all the while. */
async function send(
  what: string,
  id: CallId,
  payload: string | Buffer,
  more: {
    readonly query?: Record<string, string>
    readonly params?: Record<string, string>
    readonly type?: string
  } = {},
): Promise<Answer> {
  const { method, path } = callOf(id)
  const before = process.memoryUsage().rss
  const start = performance.now()
  let [open, longest, asked] = [true, 0, 0]
  const sent = server.app
    .inject({
      method,
      url: `/api${path.replaceAll(/:(\w+)/g, (_whole, name: string) => more.params?.[name] ?? '')}`,
      query: { ...more.query },
      payload,
      headers: {
        ...admin.headers(),
        'content-type': more.type ?? 'application/json',
        [headers.idempotencyKey]: newId(),
      },
    })
    .finally(() => (open = false))
  while (open) {
    const at = performance.now()
    expect((await admin.call('project.list', {})).success).toBe(true)
    longest = Math.max(longest, performance.now() - at)
    asked += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const response = await sent
  const [ms, grown] = [performance.now() - start, (process.memoryUsage().rss - before) / 1_000_000]
  said.push(
    `  ${id} ${what}: ${ms.toFixed(0)} ms, grew by ${grown.toFixed(0)} MB; ${asked} other answers, the longest after ${longest.toFixed(0)} ms`,
  )
  expect(ms).toBeLessThan(BOUND_MS)
  expect(longest).toBeLessThan(MEANWHILE_MS)
  expect(grown).toBeLessThan(GROWN_MB)
  return response.json<Answer>()
}

interface Ground {
  readonly projectId: string
  readonly crfId: string
  readonly dictId: string
}

/** A project with a draft of one page, and a dictionary of one entry. */
async function makeGround(): Promise<Ground> {
  const { id: projectId } = await createProject(admin)
  await changeStatus(admin, projectId, 'process')
  const { id: crfId } = await admin.get<VersionSummary>('version.save', { body: { projectId, remark: '首版' } })
  await admin.get('version.import', { query: { crfId }, body: SOUND })
  const { id: dictId } = await admin.get<DictRow>('projectDict.fastSubmit', {
    body: { projectId, code: 'DIS', dictValue: '疾病', children: [{ dictKey: 'A', dictValue: '肺系病' }] },
  })
  return { projectId, crfId, dictId }
}

/** All that a definition could have left. */
async function state(): Promise<string> {
  const tables = [
    'crf_version',
    'crf_folder',
    'crf_page',
    'crf_source',
    'project_dict',
    'template',
    'audit',
    'operation',
  ]
  const { rows } = await server.database.ownerPool.query<{ figure: string }>(
    tables
      .map(
        (table) =>
          `SELECT md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS figure FROM ${table} t`,
      )
      .join(' UNION ALL '),
  )
  return rows.map(({ figure }) => figure).join()
}

const page = (option: string, at = 0) => ({ pageName: `第 ${at} 页`, pageCode: `p${at}`, repeatable: false, option })
const fields = (count: number, more: object = {}) =>
  JSON.stringify({
    column: Array.from({ length: count }, (_, at) => ({ prop: `a${at}`, type: 'input', label: 'x', ...more })),
  })

interface Door {
  readonly id: 'version.import' | 'version.designSave' | 'template.save'
  readonly bodyOf: (ground: Ground, options: readonly string[]) => string
  readonly query: (ground: Ground) => Record<string, string>
}

const DOORS: readonly Door[] = [
  {
    id: 'version.import',
    bodyOf: (_ground, options) =>
      JSON.stringify({
        definition: { folders: [{ folderName: '访视', folderCode: 'V1', pages: options.map(page) }] },
        sourceName: 'x.xml',
        source: 'x',
      }),
    query: ({ crfId }) => ({ crfId }),
  },
  {
    id: 'version.designSave',
    bodyOf: (_ground, options) => {
      const pages = options.map((option, at) => ({ ...page(option, at), id: newId() }))
      return JSON.stringify({
        rev: 1,
        folders: [{ id: newId(), folderName: '访视', folderCode: 'V1', pageIds: pages.map(({ id }) => id) }],
        pages,
      })
    },
    query: ({ crfId }) => ({ crfId }),
  },
  {
    id: 'template.save',
    bodyOf: ({ projectId }, options) =>
      JSON.stringify({
        projectId,
        kind: 'folder',
        name: '模板',
        folder: { folderName: '访视', folderCode: 'V1', pages: options.map(page) },
      }),
    query: () => ({}),
  },
]

/** What no door takes, and how it is called where it is refused. */
const REFUSED: readonly (readonly [string, () => readonly string[], Readonly<Record<Door['id'], string>>])[] = [
  [
    'a million fields',
    () => Array.from({ length: 50 }, () => fields(16_000).replaceAll(',"label":"x"', '')),
    { 'version.import': 'too_large', 'version.designSave': 'too_large', 'template.save': 'too_large' },
  ],
  [
    'the same page eighty times',
    () => Array.from({ length: 80 }, () => fields(2_000)),
    { 'version.import': 'too_large', 'version.designSave': 'too_large', 'template.save': 'too_large' },
  ],
  [
    'more than a body may be',
    () => Array.from({ length: 10 }, () => 'x'.repeat(3_900_000)),
    { 'version.import': 'too_large', 'version.designSave': 'too_large', 'template.save': 'too_large' },
  ],
  [
    'more fields on a page than a page has',
    () => [fields(21_000)],
    { 'version.import': 'invalid', 'version.designSave': 'invalid', 'template.save': 'page_unreadable' },
  ],
  [
    'lists within lists',
    () => [`${'['.repeat(900_000)}${']'.repeat(900_000)}`],
    { 'version.import': 'invalid', 'version.designSave': 'invalid', 'template.save': 'page_unreadable' },
  ],
  [
    'groups within groups',
    () => [`${'{"column":['.repeat(100_000)}${']}'.repeat(100_000)}`],
    { 'version.import': 'invalid', 'version.designSave': 'invalid', 'template.save': 'page_unreadable' },
  ],
  [
    'names of an object’s own machinery',
    () => [
      '{"column":[{"prop":"__proto__","type":"input"},{"prop":"constructor","type":"input"}],"__proto__":{"column":[]}}',
    ],
    { 'version.import': 'invalid', 'version.designSave': 'invalid', 'template.save': 'page_unreadable' },
  ],
]

describe.each(DOORS)('$id', ({ id, bodyOf, query }) => {
  it.each(REFUSED)(
    'refuses %s in words, and nothing of it is written',
    { timeout: 3 * BOUND_MS },
    async (what, options, codes) => {
      const ground = await makeGround()
      const body = bodyOf(ground, options())
      const before = await state()
      const answer = await send(`${what} (${(body.length / 1_000_000).toFixed(1)} MB)`, id, body, {
        query: query(ground),
      })
      expect(answer).toMatchObject({ success: false, error: { code: codes[id] } })
      expect((await state()) === before).toBe(true)
    },
  )

  it('takes scripts, links and formulas as the text that they are', async () => {
    const ground = await makeGround()
    const nasty = fields(2, {
      label: '<img src=x onerror=alert(1)>',
      placeholder: '=cmd|calc',
      tip: '<a href="javascript:alert(1)">x</a>',
    })
    const answer = await send('scripts, links and formulas', id, bodyOf(ground, [nasty]), { query: query(ground) })
    expect(answer.success).toBe(true)
    const { rows } = await server.database.ownerPool.query(
      `SELECT 1 FROM crf_page WHERE option = $1 UNION ALL SELECT 1 FROM template WHERE folder::text LIKE '%onerror=alert(1)%'`,
      [nasty],
    )
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('what comes with an import as its source', () => {
  const laughs = `<!DOCTYPE ODM [<!ENTITY l0 "ha">${Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')}]><ODM>&l9;</ODM>`
  const bomb = zipped(
    parts({ a: `<worksheet><sheetData>${'<row><c/></row>'.repeat(2_000_000)}</sheetData></worksheet>` }),
  )
  it.each([
    ['a billion laughs', laughs],
    ['an external entity', '<!DOCTYPE ODM [<!ENTITY f SYSTEM "file:///etc/passwd">]><ODM>&f;</ODM>'],
    ['an archive that grows beyond measure', `data:application/zip;base64,${Buffer.from(bomb).toString('base64')}`],
  ])('%s is kept byte for byte and never opened', async (what, source) => {
    const { crfId } = await makeGround()
    expect(
      await send(`${what} as a source`, 'version.import', JSON.stringify({ ...SOUND, source }), { query: { crfId } }),
    ).toMatchObject({ success: true, data: { fields: 1 } })
    const { rows } = await server.database.ownerPool.query<{ source: string }>(
      'SELECT source FROM crf_source WHERE version_id = $1 ORDER BY created_at DESC LIMIT 1',
      [crfId],
    )
    expect(rows[0]?.source).toBe(source)
  })
})

it('a pattern made to keep an engine busy is judged in time on the text made for it', async () => {
  const { projectId, crfId } = await makeGround()
  const when = (pattern: string) => ({
    id: 'p',
    when: `!matches(page.note, "${pattern}")`,
    severity: 'error',
    message: { zh: '格式不对' },
  })
  const column = ['(a+)+$', '(?:.?){1000}[^x]{1000}', '(.*)*(.*)*(.*)*!'].map((pattern, at) => ({
    prop: `n${at}`,
    type: 'input',
    label: 'x',
    zl: { checks: [when(pattern)] },
  }))
  await admin.get('version.import', {
    query: { crfId },
    body: definitionOf([{ prop: 'note', type: 'textarea', label: '说明' }, ...column]),
  })
  await admin.get('version.releaseTest', { query: { crfId } })
  await admin.get('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
  await admin.get('version.release', { query: { crfId } })
  const { id: centerId } = await addCenter(admin, projectId, 'N01')
  const { client: crc } = await joinAs(server, admin, projectId, `crc${newId()}`, 'CRC', {
    dataScope: 'center',
    centerIds: [centerId],
  })
  const patientId = newId()
  await crc.get('patient.save', {
    body: unnamedPatient(projectId, centerId, { id: patientId }),
  })
  const [folder] = await crc.get<readonly TreeFolder[]>('version.tree', { params: { id: crfId } })
  const target = {
    patientId,
    folderId: folder?.id ?? '',
    folderRepeat: '0',
    pageId: folder?.crfPageVOList[0]?.id ?? '',
    pageRepeat: '0',
    parentEntryId: null,
    pass: 1 as const,
  }
  const start = performance.now()
  const saved = await crc.call('entry.smartSave', {
    params: { id: entryId(target) },
    body: change(target, { note: `${'a'.repeat(9_990)}!` }),
    headers: { projectId, crfId, doubleSeqNo: '1' },
  })
  const ms = performance.now() - start
  said.push(`  entry.smartSave against three such patterns and 9,991 characters: ${ms.toFixed(0)} ms`)
  expect(saved.success).toBe(true)
  expect(ms).toBeLessThan(BOUND_MS)
})

describe('projectDict.fastSubmit', () => {
  const body = ({ projectId }: Ground, children: readonly object[]) =>
    JSON.stringify({ projectId, code: 'NEW', dictValue: '新', children })
  it.each([
    [
      'a million entries',
      'too_large',
      () => Array.from({ length: 150_000 }, (_, at) => ({ dictKey: `k${at}`, dictValue: '项' })),
    ],
    [
      'more entries than a dictionary has',
      'invalid',
      () => Array.from({ length: 5_001 }, (_, at) => ({ dictKey: `k${at}`, dictValue: '项' })),
    ],
  ] as const)('refuses %s, and nothing is half written', async (what, code, children) => {
    const ground = await makeGround()
    const before = await state()
    expect(await send(what, 'projectDict.fastSubmit', body(ground, children()))).toMatchObject({
      success: false,
      error: { code },
    })
    expect(await state()).toBe(before)
  })

  it('takes scripts and formulas as text, and its spreadsheet holds them as texts that nothing runs', async () => {
    const ground = await makeGround()
    const labels = ['<script>alert(1)</script>', '=HYPERLINK("http://127.0.0.1:9/","x")', '+1', '-1', '@SUM(1)']
    const answer = await send(
      'scripts and formulas',
      'projectDict.fastSubmit',
      body(
        ground,
        labels.map((dictValue, at) => ({ dictKey: `k${at}`, dictValue })),
      ),
    )
    const { id } = answer.data as DictRow
    const file = await server.app.inject({
      method: 'GET',
      url: `/api${callOf('projectDict.templateFile').path.replace(':parentDictId', id)}`,
      headers: admin.headers(),
    })
    const read = readSheets(new Uint8Array(file.rawPayload))
    expect(read.ok && read.sheets[0]?.rows.slice(1).map(({ cells }) => cells[1])).toEqual(labels)
    const sheet = Object.entries(unzipSync(new Uint8Array(file.rawPayload)))
      .filter(([name]) => name.includes('sheet1'))
      .map(([, bytes]) => strFromU8(bytes))
      .join('')
    expect(sheet).not.toContain('<f>')
    expect(sheet).toContain('inlineStr')
  })
})

const HEAD = ['存储值', '名称', '英文名称', '上级存储值']
const sheetWith = (before: string, cell: string): string =>
  `${before}${sheetXml([HEAD, ['B', 'CELL']]).replace('CELL', cell)}`
const WORKBOOKS: readonly (readonly [string, string, () => Uint8Array])[] = [
  [
    'an archive that grows beyond measure',
    'too_large',
    () =>
      zipped(
        parts({
          a: `<worksheet><sheetData>${'<row><c t="inlineStr"><is><t>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx</t></is></c></row>'.repeat(800_000)}</sheetData></worksheet>`,
        }),
      ),
  ],
  [
    'a part of a gigabyte',
    'too_large',
    () => zipped({ ...parts({ a: '' }), 'xl/worksheets/sheet1.xml': new Uint8Array(400_000_000) }),
  ],
  [
    'a billion laughs',
    'unsupported_media',
    () =>
      zipped(
        parts({
          a: sheetWith(
            `<!DOCTYPE x [<!ENTITY l0 "ha">${Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')}]>`,
            '&l9;',
          ),
        }),
      ),
  ],
  [
    'an entity that is a file of the server',
    'unsupported_media',
    () => zipped(parts({ a: sheetWith('<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>', '&f;') })),
  ],
  [
    'elements within elements',
    'too_large',
    () => zipped(parts({ a: `<worksheet>${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}</worksheet>` })),
  ],
  [
    'a row for every field there could be',
    'invalid',
    () => workbook({ a: [HEAD, ...Array.from({ length: 20_000 }, (_, at) => [`k${at}`, '项'])] }),
  ],
]

describe('projectDict.template', () => {
  it.each(WORKBOOKS)(
    'refuses %s in words, and nothing is half written',
    { timeout: 3 * BOUND_MS },
    async (what, code, make) => {
      const { dictId } = await makeGround()
      const form = new FormData()
      form.set('file', new Blob([Uint8Array.from(make())]), 'entries.xlsx')
      const request = new Request('http://ward.test', { method: 'POST', body: form })
      const payload = Buffer.from(await request.arrayBuffer())
      const before = await state()
      expect(
        await send(`${what} (${(payload.length / 1_000_000).toFixed(2)} MB)`, 'projectDict.template', payload, {
          params: { parentDictId: dictId },
          type: request.headers.get('content-type') ?? '',
        }),
      ).toMatchObject({ success: false, error: { code } })
      expect(await state()).toBe(before)
    },
  )
})
