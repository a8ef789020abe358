// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DictRow, DictUsage } from '#core/api/calls/projectDict.ts'
import type { ApiError } from '#core/api/errors.ts'
import { pageOf } from '#core/wire/shapes.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { DictScreen } from '#src/screens/dict/DictScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

type Input = {
  readonly query?: Record<string, unknown>
  readonly body?: Record<string, unknown>
  readonly params?: Record<string, unknown>
}

let dictionaries: DictRow[]
let entries: DictRow[]
let usages: DictUsage[]
/** What was sent to be written, by call. */
let sent: (readonly [string, Input])[]
/** What writes are answered with, in order; they succeed when there is none left. */
let answers: Result<unknown, ApiError>[]

const row = (dictKey: string, dictValue: string, more: Partial<DictRow> = {}): DictRow => ({
  id: `id-${dictKey}`,
  parentId: 'id-TCM',
  code: 'TCM',
  dictKey,
  dictValue,
  labelEn: null,
  sort: 1,
  isDisabled: false,
  hasChildren: false,
  ...more,
})
const dictionary = (code: string, dictValue: string): DictRow =>
  row('-1', dictValue, { id: `id-${code}`, parentId: null, code, entryCount: 2 })

beforeEach(() => {
  dictionaries = [dictionary('TCM', '证候'), dictionary('ZZ', '脏腑')]
  entries = [
    row('fei', '肺系', { hasChildren: true, children: [row('fei1', '风寒袭肺证', { parentId: 'id-fei' })] }),
    row('qx', '气虚证', { isDisabled: true }),
  ]
  usages = []
  sent = []
  answers = []
})

let projects = 0

function open(facts: Partial<ProjectRow> = {}) {
  projects += 1
  const id = `0190a000-0000-7000-8000-0000000009${String(projects).padStart(2, '0')}`
  const call = (async (call: string, input: Input) => {
    switch (call) {
      case 'projectDict.parentList':
        return ok(pageOf(dictionaries, dictionaries.length, { current: 1, size: 500 }))
      case 'projectDict.childList':
        return ok(input.query?.parentId === 'id-TCM' ? entries : [])
      case 'projectDict.usages':
        return ok(usages)
      default:
        sent.push([call, input])
        return answers.shift() ?? ok(call === 'projectDict.remove' ? true : { id: 'id-new' })
    }
  }) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call } }}>
      <Routes>
        <Route element={<Outlet context={{ project: projectRow({ id, permissions: ['dict_edit'], ...facts }) }} />}>
          <Route path="/" element={<DictScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
  )
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const choose = async (of: string, name: string) => {
  await press(`“${of}”的更多操作`)
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const dialog = async () => within(await screen.findByRole('dialog'))
const treeItems = async () => (await screen.findAllByRole('treeitem')).map(({ textContent }) => textContent)

describe('the dictionaries of a project', () => {
  test('are a tree, and the entries of the first are beside it with the address that a field names it by', async () => {
    open()
    expect(await screen.findByText('气虚证')).toBeTruthy()
    expect(await treeItems()).toEqual(['证候TCM', '肺系fei', '脏腑ZZ'])
    expect(screen.getByText('/api/edc/project/dict/child-list?code=TCM')).toBeTruthy()
    expect(screen.getByText('停用')).toBeTruthy()
    await press('查看“肺系”的 1 个下级条目')
    expect(await screen.findByText('风寒袭肺证')).toBeTruthy()
    expect(screen.getByRole('heading', { name: '证候 / 肺系' })).toBeTruthy()
  })

  test('are gone through with the arrows and chosen with Enter, with one stop of the tab key', async () => {
    open()
    await screen.findByText('气虚证')
    const [first, , second] = await screen.findAllByRole('treeitem')
    expect([first?.tabIndex, second?.tabIndex]).toEqual([0, -1])
    first?.focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect([first?.tabIndex, second?.tabIndex]).toEqual([-1, 0])
    expect(document.activeElement).toBe(second)
    expect(second?.getAttribute('aria-selected')).toBe('false')
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('heading', { name: '脏腑' })).toBeTruthy()
    expect(screen.getByRole('treeitem', { name: /脏腑/ }).getAttribute('aria-selected')).toBe('true')
    expect(screen.getByText('这里还没有条目')).toBeTruthy()
  })

  test('are looked at by who may not change them, and where the project has ended', async () => {
    for (const facts of [{ permissions: [] }, { projectStatus: 'close' as const }]) {
      open(facts)
      expect(await screen.findAllByText('您没有修改字典的权限，只能查看。')).toBeTruthy()
      expect((await screen.findAllByText('气虚证')).length).toBeGreaterThan(0)
      expect(screen.queryByRole('button', { name: /修改|删除|添加|新建|模板/ })).toBeNull()
      expect(screen.getAllByRole('button', { name: '使用情况' }).length).toBeGreaterThan(0)
    }
  })

  test('that are not there yet have a way to make one', async () => {
    dictionaries = []
    open()
    expect(await screen.findByText('还没有字典')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: '新建字典' })).toHaveLength(2)
  })
})

describe('a new dictionary', () => {
  const fill = async (lines: string) => {
    open()
    await press('新建字典')
    const within_ = await dialog()
    await userEvent.type(within_.getByLabelText(/^编码/), 'PULSE')
    await userEvent.type(within_.getByLabelText(/^名称/), '脉象')
    await userEvent.click(within_.getByLabelText(/^条目/))
    await userEvent.paste(lines)
    return within_
  }

  test('is sent with its entries as the lines say them, which are shown before', async () => {
    const form = await fill('fu 浮脉\nchen\t沉脉\tDeep')
    expect(form.getByText('2 条将被添加')).toBeTruthy()
    expect(form.getByText('沉脉')).toBeTruthy()
    await userEvent.click(form.getByRole('button', { name: '新建' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toMatchObject([
      [
        'projectDict.fastSubmit',
        {
          body: {
            code: 'PULSE',
            dictValue: '脉象',
            children: [
              { dictKey: 'fu', dictValue: '浮脉', labelEn: null },
              { dictKey: 'chen', dictValue: '沉脉', labelEn: 'Deep' },
            ],
          },
        },
      ],
    ])
  })

  test('is not sent while a line is wrong: which, and why', async () => {
    const form = await fill('fu 浮脉\nfu 又\nhua')
    expect(form.getByText('第 2 行 fu：存储值重复')).toBeTruthy()
    expect(form.getByText('第 3 行 hua：缺名称')).toBeTruthy()
    await userEvent.click(form.getByRole('button', { name: '新建' }))
    expect(sent).toEqual([])
    expect(screen.getByRole('dialog')).toBeTruthy()
  })

  test('needs a code of letters and digits, and a name', async () => {
    open()
    await press('新建字典')
    const form = await dialog()
    await userEvent.type(form.getByLabelText(/^编码/), '脉象')
    await userEvent.click(form.getByRole('button', { name: '新建' }))
    expect(form.getByText('请填写 1–20 位字母或数字')).toBeTruthy()
    expect(form.getByText('缺名称')).toBeTruthy()
    expect(sent).toEqual([])
  })
})

const USAGE: DictUsage = {
  versionId: 'v2',
  versionNoDesc: 'V2.0',
  crfProfile: 'draft',
  folderName: '筛选期',
  pageId: 'p',
  pageName: '证候',
  prop: 'syndrome',
  label: '证候诊断',
}

describe('an entry', () => {
  test('is added below the level that is shown', async () => {
    open()
    await choose('肺系', '添加下级：肺系')
    const form = await dialog()
    await userEvent.type(form.getByLabelText(/^存储值/), 'fei2')
    await userEvent.type(form.getByLabelText(/^名称/), '风热犯肺证')
    await userEvent.click(form.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toMatchObject([
      [
        'projectDict.submit',
        { body: { parentId: 'id-fei', dictKey: 'fei2', dictValue: '风热犯肺证', confirmed: false } },
      ],
    ])
  })

  test('that fields use gets another key only after those were shown', async () => {
    usages = [USAGE, { ...USAGE, versionId: 'v1', versionNoDesc: 'V1.0', crfProfile: 'formal' }]
    answers = [err({ code: 'in_use', message: '该字典正被表单字段使用。' })]
    open()
    await press('修改“气虚证”')
    const form = await dialog()
    const key = form.getByLabelText(/^存储值/)
    await userEvent.clear(key)
    await userEvent.type(key, 'qixu')
    await userEvent.click(form.getByRole('button', { name: '保存' }))
    expect(await form.findByText(/草稿：选项随字典改变/)).toBeTruthy()
    expect(form.getByText(/保留发布时的选项/)).toBeTruthy()
    expect(form.getByRole('link', { name: '查看表单版本 V1.0' }).getAttribute('href')).toMatch(/\/admin\/crfHistory$/)
    await userEvent.click(form.getByRole('button', { name: '仍要修改' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent.map(([, { body }]) => [body?.dictKey, body?.confirmed])).toEqual([
      ['qixu', false],
      ['qixu', true],
    ])
  })

  test('that fields use is removed only after those were shown; one that none uses at once', async () => {
    open()
    await choose('气虚证', '删除“气虚证”')
    await userEvent.click((await dialog()).getByRole('button', { name: '删除' }))
    await waitFor(() => expect(sent.at(-1)).toMatchObject(['projectDict.remove', { query: { ids: 'id-qx' } }]))
    expect(sent.at(-1)?.[1].query).not.toHaveProperty('confirmed')
  })

  test('in use is removed in spite of that by its own word', async () => {
    usages = [USAGE]
    open()
    await choose('气虚证', '删除“气虚证”')
    const form = await dialog()
    expect(await form.findByText(/筛选期 \/ 证候/)).toBeTruthy()
    await userEvent.click(form.getByRole('button', { name: '仍要删除' }))
    await waitFor(() =>
      expect(sent).toMatchObject([['projectDict.remove', { query: { ids: 'id-qx', confirmed: 'true' } }]]),
    )
  })
})

describe('the template', () => {
  const uploaded = async (answer: Result<unknown, ApiError>, file = new File(['x'], 'TCM.xlsx')) => {
    answers = [answer]
    open()
    await press('模板导入')
    await dialog()
    const input = document.querySelector<HTMLInputElement>('input[type=file]')
    if (input === null) throw new Error('there is nothing to choose a file with')
    await userEvent.upload(input, file)
    return dialog()
  }

  test('is uploaded, and what it added is told', async () => {
    const form = await uploaded(ok({ added: 3, changed: 1 }))
    expect(await form.findByText('已添加 3 条，更新 1 条。')).toBeTruthy()
    expect(sent).toMatchObject([['projectDict.template', { params: { parentDictId: 'id-TCM' } }]])
    expect(sent[0]?.[1].body?.file).toBeInstanceOf(File)
  })

  test('that is wrong is told by its rows', async () => {
    const form = await uploaded(
      err({ code: 'invalid', fields: [{ path: 'file.4', code: 'duplicate', params: { key: 'qx' } }] }),
    )
    expect(await form.findByText('第 4 行 qx：存储值重复')).toBeTruthy()
  })

  test.each([
    ['unsupported_media', [], '无法读取：请上传没有密码保护的 xlsx 或 xls 工作簿。'],
    ['too_large', [], '文件过大：最多 5,000 条，1 MB。'],
    ['invalid', [{ path: 'file', code: 'missing_columns' }], '第一行须有“存储值”和“名称”两列，请使用模板。'],
  ] as const)('that cannot be read (%s) is told in words', async (code, fields, words) => {
    expect(await (await uploaded(err({ code, fields: [...fields] }))).findByText(words)).toBeTruthy()
  })

  test('that is too large is not sent', async () => {
    const form = await uploaded(ok({}), new File([new Uint8Array(1_000_001)], 'TCM.xlsx'))
    expect(await form.findByText('文件过大：最多 5,000 条，1 MB。')).toBeTruthy()
    expect(sent).toEqual([])
  })
})
