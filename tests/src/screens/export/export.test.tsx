// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { DataSet, DataSetFacts, DataSetPreview, DataSetRun } from '#core/api/calls/data/dataset.ts'
import type { Condition } from '#core/dataset/conditions.ts'
import { newDefinition } from '#core/dataset/definition.ts'
import type { SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import { mappingText } from '#core/dataset/sdtm/mapping.ts'
import { err, ok } from '#core/result.ts'
import { ExportScreen } from '#src/screens/export/ExportScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Somebody who takes data out, at a desk with a server that answers what a test says. */

const PAGE = '0190a000-0000-7000-8000-0000000000b1'
const fieldFact = { table: null, tableLabel: null, labelEn: null, unit: null, identifies: false }
const FACTS: DataSetFacts = {
  pages: [
    {
      pageId: PAGE,
      code: 'VS',
      name: '生命体征',
      nameEn: null,
      folders: [{ name: '基线', nameEn: null }],
      fields: [
        { ...fieldFact, code: 'weight', label: '体重', type: 'number', isText: false, isNumber: true },
        { ...fieldFact, code: 'note', label: '备注', type: 'textarea', isText: true, isNumber: false },
      ],
    },
  ],
  centers: [{ id: '0190a000-0000-7000-8000-0000000000c1', code: 'N01', name: '北院', subjects: 12 }],
  versions: [{ id: '0190a000-0000-7000-8000-0000000000e1', no: 1 }],
  mayIdentify: false,
  maySeeIdentity: false,
  mayReadBothPasses: false,
  mayReadTrail: false,
  searches: [],
}
const PREVIEW: DataSetPreview = {
  subjects: 12,
  entries: 30,
  conflicts: 1,
  casebooks: null,
  tables: [
    {
      name: 'VS',
      label: '生命体征',
      variables: [{ name: 'weight', label: '体重', type: 'number', unit: 'kg' }],
      variableCount: 1,
      rows: [[65], [{ m: 'ND', reason: '' }]],
    },
  ],
  left: [{ pageId: PAGE, table: null, code: 'note', label: '备注', why: 'text' }],
  small: [{ center: 'N01', sex: 'F', subjects: 2 }],
}
const RUN: DataSetRun = {
  id: '0190a000-0000-7000-8000-0000000000d1',
  setId: null,
  name: '期中分析',
  definition: newDefinition('zh'),
  isIdentified: false,
  purpose: '医学审核',
  crossBorder: null,
  state: 'done',
  why: null,
  askedByName: '陈数管',
  isMine: true,
  askedAt: '2026-11-21T08:00:00.000Z',
  decidedByName: null,
  decidedAt: null,
  decisionNote: null,
  cancelledByName: null,
  done: 30,
  total: 30,
  endedAt: '2026-11-21T08:01:00.000Z',
  seq: 7,
  subjects: 12,
  tables: [{ name: 'VS', rows: 30 }],
  hash: 'a'.repeat(64),
  bytes: 2048,
  expiresAt: '2026-11-28T08:01:00.000Z',
  downloads: 1,
  mayDecide: false,
  mayCancel: false,
  mayDownload: true,
}

const MAPPING: SdtmMapping = {
  format: 'zhenglu-sdtm',
  version: 1,
  study: 'XAK-01',
  standard: '3.4',
  visits: [],
  domains: [
    {
      domain: 'VS',
      class: 'findings',
      label: 'Vital Signs',
      sources: [{ page: 'VS', tests: [{ code: 'WEIGHT', name: 'Weight', result: { field: 'weight' } }] }],
    },
  ],
}

let projects = 0

interface Look {
  readonly permissions?: readonly PermissionCode[]
  readonly sets?: readonly DataSet[]
  readonly facts?: Partial<DataSetFacts>
  readonly runs?: readonly DataSetRun[]
  readonly reachable?: boolean
  readonly address?: string
  readonly failing?: boolean
  readonly preview?: Partial<DataSetPreview>
  /** Until when a data set is being saved. */
  readonly saving?: Promise<void>
}

function look(said: Look = {}) {
  projects += 1
  const projectId = `0190a000-0000-7000-8000-0000000020${String(projects).padStart(2, '0')}`
  const asked: (readonly [string, { readonly body?: Record<string, unknown> }])[] = []
  const call = vi.fn(async (id: string, input: { readonly body?: Record<string, unknown> }) => {
    asked.push([id, input])
    if (id === 'dataset.save') await said.saving
    return said.failing === true ? err({ code: 'busy' as const }) : answerTo(id, said)
  }) as unknown as Session['call']
  const rights = { take: (_permissions: readonly PermissionCode[]) => undefined as void }
  function Around() {
    const [permissions, setPermissions] = useState<readonly PermissionCode[]>(said.permissions ?? ['export'])
    rights.take = (next) => setPermissions(next)
    return <Outlet context={{ project: projectRow({ id: projectId, permissions: [...permissions] }) }} />
  }
  show(
    <AtDesk desk={{ session: { call, reachable: said.reachable ?? true } }}>
      <Routes>
        <Route element={<Around />}>
          <Route path="/export" element={<ExportScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
    said.address ?? '/export?set=new',
  )
  return { asked, rights }
}

function answerTo(id: string, { sets = [], facts = {}, runs = [], preview = {} }: Look) {
  switch (id) {
    case 'dataset.list':
      return ok(sets)
    case 'dataset.facts':
      return ok({ ...FACTS, ...facts })
    case 'dataset.preview':
      return ok({ ...PREVIEW, ...preview })
    case 'dataset.runs':
      return ok({ records: runs, total: runs.length, size: 20, current: 1, pages: 1 })
    case 'dataset.run':
    case 'dataset.cancel':
    case 'dataset.decide':
      return ok(RUN)
    case 'dataset.sdtm':
      return ok(MAPPING)
    case 'dataset.save':
      return ok({})
    default:
      throw new Error(`nobody expects ${id}`)
  }
}

beforeAll(() => speak('zh'))

const bodiesOf = (asked: ReturnType<typeof look>['asked'], id: string) =>
  asked.flatMap(([one, { body }]) => (one === id ? [body] : []))

describe('a data set', () => {
  test('is de-identified for who may take out nothing else, and says what is left out', async () => {
    look()
    const on = await screen.findByRole('switch', { name: /脱敏后导出/ })
    expect(on).toHaveProperty('checked', true)
    expect(on).toHaveProperty('disabled', true)
    expect(screen.getByText('您的权限只能导出脱敏数据。')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '预览前 20 行' }))
    expect(await screen.findByText('12 名受试者，30 个表单页，1 张表')).toBeTruthy()
    expect(screen.getAllByText('未导出的字段（1）')).not.toEqual([])
    expect(screen.getByText(/N01 · 女（2 人）/)).toBeTruthy()
    expect(screen.getByRole('table', { name: /生命体征/ }).textContent).toContain('ND')
  })

  test('is saved with the fields that were chosen', async () => {
    const { asked } = look()
    await userEvent.type(await screen.findByRole('textbox', { name: /名称/ }), '安全性')
    await userEvent.click(screen.getByRole('radio', { name: '选择表单页和字段' }))
    await userEvent.click(screen.getByRole('button', { name: /^生命体征\s*2 \/ 2 个字段$/ }))
    await userEvent.click(screen.getByRole('checkbox', { name: '备注' }))
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    const [body] = bodiesOf(asked, 'dataset.save')
    expect(body).toMatchObject({ name: '安全性', rev: 0, shared: false })
    expect(body?.['definition']).toMatchObject({ pages: [{ pageId: PAGE, fields: [{ table: null, code: 'weight' }] }] })
  })

  test('is neither changed nor exported while it is saved: the one would be lost, the other closed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    look({ saving: promise })
    const name = await screen.findByRole('textbox', { name: /名称/ })
    await userEvent.type(name, '安全性')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await userEvent.type(name, '二')
    expect(name).toHaveProperty('value', '安全性')
    const spreadsheet = screen.getByRole('checkbox', { name: /^Excel/ })
    await userEvent.click(spreadsheet)
    expect(spreadsheet.getAttribute('aria-checked')).toBe('false')
    await userEvent.click(screen.getByRole('button', { name: '导出' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    resolve()
    // The saved one stands in its place, and what was held is never let go of before.
    await waitFor(() => expect(spreadsheet.isConnected).toBe(false))
    expect(spreadsheet.closest('fieldset')?.disabled).toBe(true)
  })

  test('is exported once it is said what for; abroad only with a ground', async () => {
    const { asked } = look()
    await userEvent.click(await screen.findByRole('button', { name: '导出' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('已脱敏')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '开始导出' }))
    expect(bodiesOf(asked, 'dataset.run')).toEqual([])
    await userEvent.type(dialog.getByRole('textbox', { name: /用途/ }), '期中分析')
    await userEvent.click(dialog.getByRole('switch', { name: '数据将提供到境外' }))
    await userEvent.click(dialog.getByRole('button', { name: '开始导出' }))
    expect(bodiesOf(asked, 'dataset.run')).toEqual([])
    await userEvent.type(dialog.getByRole('textbox', { name: /理由/ }), '备案 1')
    await userEvent.click(dialog.getByRole('button', { name: '开始导出' }))
    expect(bodiesOf(asked, 'dataset.run')).toMatchObject([{ purpose: '期中分析', crossBorder: '备案 1' }])
  })
})

describe('the subjects of a data set', () => {
  const HEAVY: Condition = {
    kind: 'field',
    field: { pageId: PAGE, table: null, code: 'weight', part: null },
    at: { which: 'any' },
    test: { op: 'ge', value: 80 },
  }
  const SEARCH = { id: '0190a000-0000-7000-8000-0000000000f1', name: '体重≥80', condition: HEAVY }
  const SET: DataSet = {
    id: '0190a000-0000-7000-8000-0000000000f2',
    name: '甲',
    shared: false,
    definition: newDefinition('zh'),
    isMine: true,
    ownerName: '陈数管',
    rev: 1,
    updatedAt: '2026-11-21T08:00:00.000Z',
  }
  const box = async () => screen.findByRole('combobox', { name: '按检索筛选受试者' })
  const save = async () => {
    await userEvent.type(await screen.findByRole('textbox', { name: /名称/ }), '安全性')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
  }

  test('are narrowed down by a kept search, whose conditions go with it', async () => {
    const { asked } = look({ facts: { searches: [SEARCH] } })
    await userEvent.click(await box())
    await userEvent.click(await screen.findByRole('option', { name: '体重≥80' }))
    await save()
    expect(bodiesOf(asked, 'dataset.save')[0]?.['definition']).toMatchObject({
      found: { name: '体重≥80', condition: HEAVY },
    })
  })

  test('are not offered a search where none is kept', async () => {
    look()
    await screen.findByRole('textbox', { name: /名称/ })
    expect(screen.queryByRole('combobox', { name: '按检索筛选受试者' })).toBeNull()
  })

  test('stay those of a search that was changed or removed since', async () => {
    const definition = { ...newDefinition('zh'), found: { name: '旧检索', condition: HEAVY } }
    look({ sets: [{ ...SET, definition }], address: `/export?set=${SET.id}` })
    expect(await box()).toHaveProperty('value', '旧检索（保存时的条件）')
  })
})

describe('tables of SDTM', () => {
  const choose = async () => userEvent.click(await screen.findByRole('checkbox', { name: 'CDISC SDTM（XPORT V5）' }))
  const discard = () => userEvent.click(screen.getByRole('button', { name: /^放弃修改/ }))
  const upload = async (text: string) => {
    const input = document.querySelector<HTMLInputElement>('input[type="file"]')
    if (input === null) throw new Error('no file can be chosen')
    await userEvent.upload(input, new File([text], 'mapping.json', { type: 'application/json' }))
  }

  test('need a mapping, which begins with the proposal', async () => {
    const { asked } = look()
    expect(screen.queryByText('SDTM 映射')).toBeNull()
    await choose()
    expect(screen.getAllByText(/SDTM 数据集需要映射/).length).toBeGreaterThan(1)
    await userEvent.click(screen.getByRole('button', { name: /^导出/ }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '采用建议的映射' }))
    const table = await screen.findByRole('table', { name: '研究编号 XAK-01，SDTMIG 3.4' })
    expect(table.textContent).toContain('Vital Signs')
    await userEvent.click(screen.getByRole('button', { name: '预览前 20 行' }))
    expect(bodiesOf(asked, 'dataset.preview')).toMatchObject([{ definition: { sdtm: MAPPING } }])
    await discard()
  })

  test('take an edited mapping, and name what is wrong in one that they do not take', async () => {
    look()
    await choose()
    await upload(mappingText(MAPPING).replace('"page": "VS"', '"page": "VS", "pgae": "VS"'))
    const problems = await screen.findByRole('table', { name: '文件中的问题（1）' })
    expect(problems.textContent).toContain('没有这一项，请检查拼写')
    expect(problems.textContent).toContain('domains[0].sources[0].pgae')
    expect(screen.queryByRole('table', { name: /研究编号/ })).toBeNull()
    await upload(mappingText(MAPPING).replace('"field": "weight"', '"field": "height"'))
    expect(await screen.findByRole('table', { name: /研究编号 XAK-01/ })).toBeTruthy()
    const misfits = screen.getByRole('table', { name: /映射与研究的表单不符之处（1）/ })
    expect(misfits.textContent).toContain('此表单页没有此字段')
    expect(misfits.textContent).toContain('height')
    await discard()
  })
})

describe('casebooks', () => {
  const casebook = (name: string) => screen.queryByRole('checkbox', { name })
  const deidentify = () => screen.findByRole('switch', { name: /脱敏后导出/ })

  test('are no choice for who may only take out de-identified data, who reads why', async () => {
    look()
    expect(await screen.findByText(/请由有权导出未脱敏数据的人员导出/)).toBeTruthy()
    expect(casebook('CDISC ODM 1.3.2（快照）')).toBeNull()
  })

  test('can be chosen once data leave as they are; with their trail only by who may read it', async () => {
    look({ facts: { mayIdentify: true } })
    expect(await screen.findByText(/请先关闭上方的“脱敏后导出”/)).toBeTruthy()
    expect(casebook('REDCap 导入文件')).toBeNull()
    await userEvent.click(await deidentify())
    expect(casebook('CDISC ODM 2.0（快照）')).toBeTruthy()
    expect(casebook('CDISC ODM 2.0（含稽查轨迹）')).toBeNull()
    expect(screen.getByText(/含稽查轨迹的格式需要查看稽查轨迹的权限/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: /^放弃修改/ }))
  })

  test('that were chosen before de-identification was switched on again bar the export, and it is said how to go on', async () => {
    const { asked } = look({ facts: { mayIdentify: true, mayReadTrail: true } })
    await userEvent.click(await deidentify())
    await userEvent.click(screen.getByRole('checkbox', { name: 'CDISC ODM 1.3.2（含稽查轨迹）' }))
    await userEvent.click(await deidentify())
    expect(screen.getAllByText(/请关闭“脱敏后导出”，或取消勾选这些格式/).length).toBeGreaterThan(1)
    await userEvent.click(screen.getByRole('button', { name: /^导出/ }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: 'CDISC ODM 1.3.2（含稽查轨迹）' }))
    expect(screen.queryByText(/请关闭“脱敏后导出”，或取消勾选这些格式/)).toBeNull()
    expect(bodiesOf(asked, 'dataset.preview')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: /^放弃修改/ }))
  })

  test('for paper are chosen with what they are to hold', async () => {
    const { asked } = look({ facts: { mayIdentify: true, mayReadTrail: true } })
    await userEvent.click(await deidentify())
    expect(screen.queryByRole('checkbox', { name: '附图片' })).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: 'PDF 病例报告表' }))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: '附质疑及其答复' }).checked).toBe(true)
    await userEvent.click(screen.getByRole('checkbox', { name: /附图片/ }))
    await userEvent.click(screen.getByRole('button', { name: '预览前 20 行' }))
    await waitFor(() => expect(bodiesOf(asked, 'dataset.preview').length).toBe(1))
    expect(bodiesOf(asked, 'dataset.preview')[0]?.['definition']).toMatchObject({
      formats: ['csv', 'pdf'],
      print: { queries: true, photographs: true },
    })
    await userEvent.click(screen.getByRole('button', { name: /^放弃修改/ }))
  })

  test('are counted before they leave: pages, queries, lines of the trail', async () => {
    const preview = { tables: [], casebooks: { queries: 4, trailLines: 1200 }, small: [], left: [] }
    const { asked } = look({ facts: { mayIdentify: true, mayReadTrail: true }, preview })
    await userEvent.click(await deidentify())
    await userEvent.click(screen.getByRole('checkbox', { name: 'CDISC ODM 2.0（含稽查轨迹）' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'CSV' }))
    await userEvent.click(screen.getByRole('button', { name: '预览前 20 行' }))
    expect(await screen.findByText('12 名受试者，30 个表单页')).toBeTruthy()
    expect(screen.getByText(/含质疑 4 条，稽查轨迹 1,200 行/)).toBeTruthy()
    expect(bodiesOf(asked, 'dataset.preview')[0]?.['definition']).toMatchObject({
      formats: ['odm-2.0-trail'],
      deidentify: { on: false },
    })
    await userEvent.click(screen.getByRole('button', { name: '导出' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('1,200')).toBeTruthy()
    expect(dialog.queryByText('数据表')).toBeNull()
  })
})

describe('exports', () => {
  test('have their hash, who asked, when they expire, and a download', async () => {
    look({ address: '/export?part=runs', runs: [RUN] })
    expect(await screen.findByText('a'.repeat(64))).toBeTruthy()
    expect(screen.getByText(/陈数管/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '下载' })).toBeTruthy()
  })

  test('of data as they are wait for somebody else, who says why', async () => {
    const waiting = { ...RUN, state: 'waiting', isIdentified: true, isMine: false, mayDecide: true, mayDownload: false }
    const { asked } = look({ address: '/export?part=runs', runs: [waiting as DataSetRun] })
    await userEvent.click(await screen.findByRole('button', { name: '审批' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: '批准' }))
    expect(bodiesOf(asked, 'dataset.decide')).toEqual([])
    await userEvent.type(dialog.getByRole('textbox', { name: /审批意见/ }), '已核对')
    await userEvent.click(dialog.getByRole('button', { name: '批准' }))
    expect(bodiesOf(asked, 'dataset.decide')).toMatchObject([{ decision: 'approve', note: '已核对' }])
  })

  test('are none yet', async () => {
    look({ address: '/export?part=runs' })
    expect(await screen.findByText('还没有导出记录')).toBeTruthy()
  })
})

describe('without what it needs', () => {
  test('the screen says that it needs a connection, and keeps what was edited', async () => {
    look({ reachable: false })
    expect(await screen.findByText(/导出需要联网/)).toBeTruthy()
    await userEvent.type(await screen.findByRole('textbox', { name: /名称/ }), '写了一半')
    expect(screen.getByDisplayValue('写了一半')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: /^放弃修改/ }))
  })

  test('who never had the right sees nothing', () => {
    look({ permissions: [] })
    expect(screen.queryByText('数据集')).toBeNull()
  })

  test('a right that ends leaves what was edited to be read, and says so', async () => {
    const { rights } = look()
    await userEvent.type(await screen.findByRole('textbox', { name: /名称/ }), '写了一半')
    act(() => rights.take([]))
    expect(await screen.findByText('您已没有导出权限')).toBeTruthy()
    expect(screen.getByRole('heading', { name: '写了一半' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '保存' })).toBeNull()
  })

  test('what failed can be tried again', async () => {
    look({ failing: true })
    expect(await screen.findByRole('alert')).toBeTruthy()
  })
})
