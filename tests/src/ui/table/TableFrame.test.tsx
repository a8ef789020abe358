// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { TableFrame } from '#src/ui/table/TableFrame.tsx'
import type { FilterChange, TableColumn, TableFilter, TableFrameProps } from '#src/ui/table/contract.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

interface Fruit {
  readonly id: string
  readonly name: string
  readonly grams: number | null
  readonly color: 'red' | 'green'
}

const FRUIT: readonly Fruit[] = [
  { id: 'a', name: '苹果', grams: 180, color: 'red' },
  { id: 'b', name: '=梨', grams: null, color: 'green' },
  { id: 'c', name: '樱桃', grams: 8, color: 'red' },
]

const COLUMNS: readonly TableColumn<Fruit>[] = [
  { key: 'name', title: '名称', place: 'key', width: 8, text: ({ name }) => name, sortBy: ({ name }) => name },
  { key: 'grams', title: '克', width: 6, align: 'right', text: ({ grams }) => grams, sortBy: ({ grams }) => grams },
  { key: 'color', title: '颜色', width: 6, text: ({ color }) => color },
  { key: 'id', title: '编码', width: 6, from: 'desk', text: ({ id }) => id },
]

let files: { readonly name: string; readonly text: Promise<string> }[] = []
beforeEach(() => {
  files = []
  let latest: Blob | MediaSource | null = null
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    latest = blob
    return 'blob:file'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    if (latest instanceof Blob) files.push({ name: this.download, text: latest.text() })
  })
})

const TITLES = { color: '颜色', since: '起始日' }

/** A list that its own screen filters by color and by what is typed. */
function Fruits({
  rows = FRUIT,
  hasNoPanel = false,
  ...more
}: Partial<TableFrameProps<Fruit>> & { readonly rows?: readonly Fruit[]; readonly hasNoPanel?: boolean }) {
  const [chosen, setChosen] = useState<Readonly<Record<string, string | null>>>({})
  const [typed, setTyped] = useState('')
  const filters: readonly TableFilter[] = [
    {
      key: 'color',
      kind: 'choice',
      title: TITLES.color,
      value: chosen['color'] ?? null,
      text: chosen['color'] ?? null,
      choices: [
        { value: 'red', label: '红' },
        { value: 'green', label: '绿' },
      ],
    },
    { key: 'since', kind: 'day', title: TITLES.since, value: chosen['since'] ?? null, text: chosen['since'] ?? null },
    { key: 'mine', kind: 'switch', title: '我的', value: chosen['mine'] ?? null, text: '我的' },
  ]
  const left = rows.filter(
    ({ color, name }) => (chosen['color'] ?? color) === color && name.includes(typed) && chosen['mine'] !== 'true',
  )
  return (
    <TableFrame
      name="水果"
      columns={COLUMNS}
      of={{ state: 'ready', value: { rows: left } }}
      rowKey={({ id }) => id}
      search={{ label: '按名称查找', value: typed, onChange: setTyped }}
      filters={filters}
      onFilter={(change: FilterChange) => setChosen({ ...chosen, ...change })}
      {...(hasNoPanel ? {} : { panel: ({ name, id }: Fruit) => ({ title: name, content: <p>编码 {id}</p> }) })}
      empty={<p>还没有水果</p>}
      file="水果"
      {...more}
    />
  )
}

const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
const grid = () => screen.getByRole('grid', { name: '水果' })
const current = () => document.querySelector('[data-current]')?.getAttribute('data-row') ?? null

test('a tap on a title sorts up, then down, then gives the order of the list back; empty cells stay last', async () => {
  show(<Fruits />)
  expect(names()).toEqual(['苹果', '=梨', '樱桃'])
  const sort = () => userEvent.click(screen.getByRole('button', { name: '克' }))
  await sort()
  expect(names()).toEqual(['樱桃', '苹果', '=梨'])
  expect(screen.getByRole('columnheader', { name: /克/ }).getAttribute('aria-sort')).toBe('ascending')
  await sort()
  expect(names()).toEqual(['苹果', '樱桃', '=梨'])
  await sort()
  expect(names()).toEqual(['苹果', '=梨', '樱桃'])
})

test('a list that is read in parts keeps its own order', () => {
  show(<Fruits more={{ label: '更早的', isReading: false, onMore: () => undefined }} />)
  expect(screen.queryByRole('button', { name: '克' })).toBeNull()
  expect(screen.getByRole('button', { name: '更早的' })).toBeTruthy()
})

test('a filter is added by what and which, stands as a chip, and goes by its cross', async () => {
  show(<Fruits />)
  await userEvent.click(screen.getByRole('button', { name: '筛选' }))
  await userEvent.click(screen.getByRole('button', { name: '颜色' }))
  await userEvent.click(screen.getByRole('button', { name: '红' }))
  expect(names()).toEqual(['苹果', '樱桃'])
  expect(screen.getByText('共 2 条')).toBeTruthy()
  const chips = within(screen.getByRole('list', { name: '已用的筛选条件' }))
  expect(chips.getAllByRole('listitem')).toHaveLength(1)
  await userEvent.click(chips.getByRole('button', { name: '去掉筛选条件：red' }))
  expect(names()).toHaveLength(3)
  expect(screen.queryByRole('list', { name: '已用的筛选条件' })).toBeNull()
})

test('a chip is changed where it stands', async () => {
  show(<Fruits />)
  await userEvent.click(screen.getByRole('button', { name: '筛选' }))
  await userEvent.click(screen.getByRole('button', { name: '颜色' }))
  await userEvent.click(screen.getByRole('button', { name: '红' }))
  await userEvent.click(screen.getByRole('button', { name: '更改筛选条件：red' }))
  await userEvent.click(screen.getByRole('button', { name: '绿' }))
  expect(names()).toEqual(['=梨'])
})

test('a day filters once it is whole', async () => {
  show(<Fruits />)
  await userEvent.click(screen.getByRole('button', { name: '筛选' }))
  await userEvent.click(screen.getByRole('button', { name: '起始日' }))
  await userEvent.type(screen.getByLabelText('起始日'), '2026020')
  expect(screen.queryByRole('list', { name: '已用的筛选条件' })).toBeNull()
  await userEvent.type(screen.getByLabelText('起始日'), '1')
  expect(screen.getByRole('button', { name: '去掉筛选条件：2026-02-01' })).toBeTruthy()
})

test('j and k go through the rows, Enter opens the panel and takes the focus in, Escape gives it back', async () => {
  show(<Fruits />)
  await userEvent.keyboard('jj')
  expect(current()).toBe('b')
  await userEvent.keyboard('k')
  expect(current()).toBe('a')
  act(() => grid().focus())
  await userEvent.keyboard('{Enter}')
  const panel = screen.getByRole('complementary', { name: '苹果' })
  expect(within(panel).getByText('编码 a')).toBeTruthy()
  expect(panel.contains(document.activeElement)).toBe(true)
  // The panel follows the rows.
  await userEvent.keyboard('j')
  expect(screen.getByRole('complementary', { name: '=梨' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '下一条' }))
  expect(screen.getByRole('complementary', { name: '樱桃' })).toBeTruthy()
  expect(screen.getByRole('button', { name: '下一条' }).hasAttribute('disabled')).toBe(true)
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(document.activeElement).toBe(grid())
})

test('where rows have a screen and no panel, a tap anywhere on a row leads there, and so does Enter', async () => {
  show(
    <Routes>
      <Route path="/" element={<Fruits link={({ id }) => `/fruit/${id}`} hasNoPanel />} />
      <Route path="/fruit/:id" element={<Arrived />} />
    </Routes>,
  )
  await userEvent.click(screen.getByText('180'))
  expect(screen.getByText('/fruit/a')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '返回列表' }))
  await userEvent.keyboard('jj{Enter}')
  expect(screen.getByText('/fruit/b')).toBeTruthy()
})

function Arrived() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <>
      <p>{pathname}</p>
      <button type="button" onClick={() => void navigate('/')}>
        返回列表
      </button>
    </>
  )
}

test('a tap on a row opens its panel and leaves the focus in the list', async () => {
  show(<Fruits />)
  await userEvent.click(screen.getByText('樱桃'))
  expect(screen.getByRole('complementary', { name: '樱桃' }).contains(document.activeElement)).toBe(false)
})

test('/ goes to the search, where letters are letters', async () => {
  show(<Fruits />)
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  await userEvent.keyboard('jk')
  expect((document.activeElement as HTMLInputElement).value).toBe('jk')
  expect(current()).toBeNull()
})

test('the cursor stays at its row when the rows are sorted', async () => {
  show(<Fruits />)
  await userEvent.keyboard('j')
  await userEvent.click(screen.getByRole('button', { name: '克' }))
  expect(current()).toBe('a')
})

test('marked rows go into the clipboard as a spreadsheet takes them, and none as a formula', async () => {
  show(<Fruits />)
  await userEvent.keyboard('j')
  act(() => grid().focus())
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
  const clipboardData = { setData: vi.fn<(type: string, text: string) => void>() }
  fireEvent.copy(grid(), { clipboardData })
  expect(clipboardData.setData.mock.calls).toEqual([['text/plain', "名称\t克\t颜色\n苹果\t180\tred\n'=梨\t\tgreen"]])
  expect(screen.getByText('已复制 2 行')).toBeTruthy()
})

test('the file holds what is shown: filters, order, columns; no cell runs as a formula', async () => {
  show(<Fruits />)
  await userEvent.click(screen.getByRole('button', { name: '名称' }))
  await userEvent.click(screen.getByRole('button', { name: /选择显示的列$/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: '克' }))
  await userEvent.click(screen.getByRole('button', { name: '更多' }))
  await userEvent.click(screen.getByRole('button', { name: /^下载 CSV/ }))
  const [file] = files
  expect(file?.name).toBe('水果.csv')
  expect(await file?.text).toBe("名称,颜色\r\n'=梨,green\r\n苹果,red\r\n樱桃,red\r\n")
})

test('who may not take the rows away is offered no file', async () => {
  show(<Fruits file={null} />)
  await userEvent.click(screen.getByRole('button', { name: '更多' }))
  expect(screen.queryByRole('button', { name: /^下载 CSV/ })).toBeNull()
})

test('a column that does not fit here is named in the chooser and comes when it is asked for', async () => {
  show(<Fruits />)
  // A window of a tablet: the code is left out, and the chooser says so.
  expect(screen.queryByRole('columnheader', { name: '编码' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '列 3/4：选择显示的列' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '编码' }))
  expect(screen.getByRole('columnheader', { name: /编码/ })).toBeTruthy()
})

test('a view keeps filters, sort and columns under a name, and never what was searched for', async () => {
  const noted: unknown[] = []
  function Remembered() {
    const [notes, setNotes] = useState<NonNullable<TableFrameProps<Fruit>['memory']>['notes']>({
      layout: { columns: {}, widths: {}, sort: null },
      views: [],
      panelWidth: null,
    })
    const memory = {
      notes,
      note: (change: Partial<typeof notes>) => {
        noted.push(change)
        setNotes((before) => ({ ...before, ...change }))
      },
    }
    return <Fruits memory={memory} />
  }
  show(<Remembered />)
  await userEvent.type(screen.getByRole('searchbox'), '樱')
  await userEvent.click(screen.getByRole('button', { name: '克' }))
  await userEvent.click(screen.getByRole('button', { name: '筛选' }))
  await userEvent.click(screen.getByRole('button', { name: '颜色' }))
  await userEvent.click(screen.getByRole('button', { name: '红' }))
  await userEvent.click(screen.getByRole('button', { name: '视图' }))
  await userEvent.type(screen.getByRole('textbox', { name: '视图名称' }), '红色的')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(noted.at(-1)).toMatchObject({
    views: [{ name: '红色的', filters: { color: 'red' }, columns: {}, sort: { key: 'grams', down: false } }],
  })
  expect(JSON.stringify(noted)).not.toContain('樱')
  await userEvent.clear(screen.getByRole('searchbox'))
  await userEvent.click(screen.getByRole('button', { name: '视图：红色的' }))
  await userEvent.click(screen.getByRole('button', { name: '全部（默认）' }))
  // Rows are drawn a few with each frame.
  await waitFor(() => expect(names()).toEqual(['苹果', '=梨', '樱桃']))
  await userEvent.click(screen.getByRole('button', { name: '视图' }))
  await userEvent.click(screen.getByRole('button', { name: '红色的' }))
  await waitFor(() => expect(names()).toEqual(['樱桃', '苹果']))
  await userEvent.click(screen.getByRole('button', { name: '视图：红色的' }))
  await userEvent.click(screen.getByRole('button', { name: '删除视图“红色的”' }))
  expect(noted.at(-1)).toEqual({ views: [] })
})

/** A list of which several rows can be picked. */
function Picking({ onPicked }: { readonly onPicked: (keys: readonly string[]) => void }) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const onPick = (keys: readonly string[], isPicked: boolean) => {
    const next = new Set([...picked].filter((key) => !keys.includes(key)).concat(isPicked ? keys : []))
    setPicked(next)
    onPicked([...next])
  }
  return <Fruits picks={{ picked, onPick, bar: <span>已选 {picked.size}</span> }} />
}

test('rows are picked by a tap on their box, which opens no panel; all of them by the box in the header', async () => {
  const picked = vi.fn<(keys: readonly string[]) => void>()
  show(<Picking onPicked={picked} />)
  await waitFor(() => expect(names()).toEqual(['苹果', '=梨', '樱桃']))
  await userEvent.click(screen.getByRole('checkbox', { name: '樱桃' }))
  expect(picked).toHaveBeenLastCalledWith(['c'])
  expect(screen.getByText('已选 1')).toBeTruthy()
  expect(screen.queryByRole('complementary')).toBeNull()
  const all = screen.getByRole('checkbox', { name: '全选' })
  expect(all.getAttribute('aria-checked')).toBe('mixed')
  await userEvent.click(all)
  expect(screen.getByText('已选 3')).toBeTruthy()
  expect(all.getAttribute('aria-checked')).toBe('true')
  await userEvent.click(all)
  expect(picked).toHaveBeenLastCalledWith([])
  expect(screen.queryByText(/^已选/)).toBeNull()
})

test('x picks the marked rows, and puts them back', async () => {
  const picked = vi.fn<(keys: readonly string[]) => void>()
  show(<Picking onPicked={picked} />)
  await waitFor(() => expect(names()).toEqual(['苹果', '=梨', '樱桃']))
  await userEvent.keyboard('j{Shift>}J{/Shift}x')
  expect(picked).toHaveBeenLastCalledWith(['a', 'b'])
  await userEvent.keyboard('x')
  expect(picked).toHaveBeenLastCalledWith([])
})

test('a list without rows says so; where filters leave none, they can be cleared', async () => {
  show(<Fruits rows={[]} />)
  expect(screen.getByText('还没有水果')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox'), '瓜')
  expect(screen.getByText('没有符合条件的记录')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '清除全部条件' }))
  expect(screen.getByText('还没有水果')).toBeTruthy()
})

test.each([
  ['offline', '当前离线', true],
  ['forbidden', '无权限', false],
  ['internal', '加载失败', true],
] as const)(
  'rows that could not be had (%s): why, and the next step where there is one',
  async (code, words, again) => {
    const retry = vi.fn<() => void>()
    show(<Fruits of={{ state: 'failed', error: { code } }} onRetry={retry} />)
    expect((await screen.findByRole('alert')).textContent).toContain(words)
    const button = screen.queryByRole('button', { name: '重试' })
    expect(button !== null).toBe(again)
    if (button === null) return
    await userEvent.click(button)
    expect(retry).toHaveBeenCalledTimes(1)
  },
)

test('while rows are read, lines as high as rows stand there', () => {
  const { container } = show(<Fruits of={{ state: 'loading' }} />)
  expect(container.querySelector('[data-waiting]')?.getAttribute('aria-label')).toBe('正在加载…')
})

test('of a hundred thousand rows only those in view are drawn, and the end is one key away', async () => {
  const rows = Array.from({ length: 100_000 }, (_, at): Fruit => ({
    id: `r${at}`,
    name: `第${at}`,
    grams: at,
    color: 'red',
  }))
  show(<Fruits rows={rows} />)
  expect(screen.getByText('共 100000 条')).toBeTruthy()
  expect(grid().getAttribute('aria-rowcount')).toBe('100001')
  expect(screen.getAllByRole('rowheader').length).toBeLessThan(60)
  act(() => grid().focus())
  await userEvent.keyboard('{End}')
  expect(current()).toBe('r99999')
  expect(screen.getAllByRole('rowheader').length).toBeLessThan(60)
})
