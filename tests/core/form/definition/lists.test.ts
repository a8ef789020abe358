import { describe, expect, it } from 'vitest'
import { fillLists, listsNotThere } from '#core/form/definition/fillLists.ts'
import type { NamedList, RawPart } from '#core/form/definition/lists.ts'
import { listUrlFor, itemsIn } from '#core/form/definition/lists.ts'
import { isCollected, readPage } from '#core/form/definition/page.ts'
import { compiled, entry, opened } from '#tests/core/form/filling.ts'

/** Lists that a definition names by an address, and those that follow another answer. */

const CITIES: Readonly<Record<string, readonly object[]>> = {
  zj: [
    { label: '杭州', value: 'hz' },
    { label: '宁波', value: 'nb' },
  ],
  js: [{ label: '南京', value: 'nj' }],
}
const PROVINCES = [
  { name: '浙江', code: 'zj' },
  { name: '江苏', code: 'js' },
]

const OPTION: RawPart = {
  column: [
    { prop: 'city', label: '市', type: 'select', dicUrl: '/areas?of={{key}}' },
    {
      prop: 'province',
      label: '省',
      type: 'select',
      dicUrl: '/provinces',
      props: { label: 'name', value: 'code' },
      cascader: ['city'],
    },
  ],
}

async function ask({ url }: NamedList, answer: string): Promise<readonly unknown[] | null> {
  if (url === '/provinces') return PROVINCES
  return url.startsWith('/areas') ? (CITIES[answer] ?? []) : null
}

async function filled(option: RawPart = OPTION) {
  const page = readPage(await fillLists(option, ask))
  if (!page.ok) throw new Error(JSON.stringify(page.error))
  return page.page
}

describe('a list named by its address', () => {
  it('lies with the page once it was fetched, by the names that the column reads it with', async () => {
    const province = (await filled()).byCode.get('province')
    expect(province?.choices.map(({ value, label }) => [value, label])).toEqual([
      ['zj', '浙江'],
      ['js', '江苏'],
    ])
    expect(province !== undefined && isCollected(province)).toBe(true)
  })

  it('that was not fetched leaves its field one that nobody is asked for, and is named', () => {
    const page = readPage(OPTION)
    expect(page.ok && page.page.fields.map(isCollected)).toEqual([false, false])
    expect(listsNotThere(OPTION)).toEqual(['/areas?of={{key}}', '/provinces'])
  })

  it('that cannot be had any more stays as it came with the definition', async () => {
    const before = await fillLists({ column: [{ prop: 'herb', type: 'select', dicUrl: '/herbs' }] }, async () => [
      { label: '黄芪', value: '1' },
    ])
    expect(await fillLists(before, async () => null)).toEqual(before)
  })

  it('gives way to choices that are written down', async () => {
    const page = await filled({
      column: [{ prop: 'sex', type: 'radio', dicUrl: '/provinces', dicData: [{ label: '女', value: 'F' }] }],
    })
    expect(page.byCode.get('sex')?.choices.map(({ value }) => value)).toEqual(['F'])
  })

  it('is found where the families of servers put it', () => {
    expect(itemsIn({ code: 200, data: [1] }, null)).toEqual([1])
    expect(itemsIn({ data: { records: [1, 2], total: 2 } }, null)).toEqual([1, 2])
    expect(itemsIn({ result: { rows: [3] } }, 'result.rows')).toEqual([3])
    expect(itemsIn({ code: 400 }, null)).toBeNull()
    expect(listUrlFor('/areas?of={{key}}&k={{ key }}', '甲&乙')).toBe(
      '/areas?of=%E7%94%B2%26%E4%B9%99&k=%E7%94%B2%26%E4%B9%99',
    )
  })
})

describe('a list that follows another answer', () => {
  const state = async () => opened(compiled((await fillLists(OPTION, ask)) as never))

  it('offers nothing before that is given, and what goes with it after', async () => {
    const form = await state()
    expect(form.getCell('city')?.choices).toEqual([])
    form.setValue('province', 'zj')
    expect(form.getCell('city')?.choices.map(({ label }) => label)).toEqual(['杭州', '宁波'])
    form.setValue('province', 'js')
    expect(form.getCell('city')?.choices.map(({ label }) => label)).toEqual(['南京'])
  })

  it('keeps what was chosen when that changes, and says that it does not go with it', async () => {
    const form = await state()
    form.setValue('province', 'zj')
    form.setValue('city', 'hz')
    form.setValue('province', 'js')
    expect(form.getCell('city')).toMatchObject({ value: 'hz', issues: [{ code: 'not-offered', value: 'hz' }] })
    form.setValue('province', 'zj')
    expect(form.getCell('city')).toMatchObject({ value: 'hz', issues: [] })
    form.setValue('city', 'xx')
    expect(form.getCell('city')?.issues).toEqual([{ code: 'not-choice', value: 'xx' }])
  })

  it('follows the answer of its own row in a table', async () => {
    const option = await fillLists({ column: [{ prop: 'places', type: 'dynamic', children: OPTION }] }, ask)
    const form = opened(compiled(option as never))
    const [one, two] = [form.addRow('places')?.rid ?? '', form.addRow('places')?.rid ?? '']
    form.setValue(`places.${one}.province`, 'zj')
    form.setValue(`places.${two}.province`, 'js')
    expect([one, two].map((rid) => form.getCell(`places.${rid}.city`)?.choices.length)).toEqual([2, 1])
  })
})

describe('records to pick from', () => {
  const DRUGS = {
    column: [
      {
        prop: 'drug',
        label: '药品',
        type: 'table',
        props: { label: 'name', value: 'id' },
        children: {
          column: [
            { prop: 'name', label: '名称' },
            { prop: 'spec', label: '规格' },
          ],
          props: { url: '/drugs', rowKey: 'id' },
        },
      },
    ],
  }
  const page = () =>
    fillLists(DRUGS, async ({ paging }) =>
      paging === null
        ? null
        : [
            { id: 7, name: '桂枝汤', spec: '10g' },
            { id: 9, name: '麻黄汤', spec: '9g' },
          ],
    )

  it('are known by their key, with what the definition shows of them', async () => {
    const form = opened(compiled((await page()) as never))
    expect(form.getCell('drug')?.choices).toMatchObject([
      { value: '7', label: '桂枝汤', cells: { spec: '10g' } },
      { value: '9', label: '麻黄汤' },
    ])
    form.setValue('drug', '9')
    expect(form.getCell('drug')?.issues).toEqual([])
  })

  it('that are not there any more are an error that names them', async () => {
    const form = opened(compiled((await page()) as never), entry({ drug: '8' }))
    expect(form.getCell('drug')?.issues).toEqual([{ code: 'no-record', id: '8' }])
  })
})

describe('a field whose value must be its own', () => {
  it('is an error in both rows of a table that hold the same, until one is changed or deleted', () => {
    const form = opened([
      {
        prop: 'lots',
        label: '批号',
        type: 'dynamic',
        children: { column: [{ prop: 'lot', label: '批号', type: 'input', unique: true }] },
      },
    ])
    const [one, two] = [form.addRow('lots')?.rid ?? '', form.addRow('lots')?.rid ?? '']
    const issues = () => [one, two].map((rid) => form.getCell(`lots.${rid}.lot`)?.issues.map(({ code }) => code))
    form.setText(`lots.${one}.lot`, 'A1')
    form.setText(`lots.${two}.lot`, 'A1')
    expect(issues()).toEqual([['not-unique'], ['not-unique']])
    form.setText(`lots.${two}.lot`, 'A2')
    expect(issues()).toEqual([[], []])
    form.setText(`lots.${two}.lot`, 'A1')
    form.setRowDeleted('lots', two, true)
    expect(form.getCell(`lots.${one}.lot`)?.issues).toEqual([])
  })
})
