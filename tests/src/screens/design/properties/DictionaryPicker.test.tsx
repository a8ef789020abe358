import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, expect, test } from 'vitest'
import type { DictRow } from '#core/api/calls/projectDict.ts'
import { pageOf } from '#core/wire/shapes.ts'
import type { DesignColumn } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import { ok } from '#core/result.ts'
import { DictionaryPicker } from '#src/screens/design/properties/DictionaryPicker.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Where the choices of a field come from, as a designer picks it. */

beforeAll(() => speak('zh'))

const dictionary = (code: string, dictValue: string): DictRow => ({
  id: `id-${code}`,
  parentId: null,
  code,
  dictKey: '-1',
  dictValue,
  labelEn: null,
  sort: 1,
  isDisabled: false,
  hasChildren: false,
  entryCount: 2,
})

function pickFor(column: DesignColumn): Patch[] {
  const patches: Patch[] = []
  const call = (async () =>
    ok(
      pageOf([dictionary('TCM', '证候'), dictionary('ZZ', '脏腑')], 2, { current: 1, size: 500 }),
    )) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call } }}>
      <Routes>
        <Route element={<Outlet context={{ project: projectRow() }} />}>
          <Route path="/" element={<DictionaryPicker column={column} set={(patch) => patches.push(patch)} />} />
        </Route>
      </Routes>
    </AtDesk>,
  )
  return patches
}

const box = () => screen.getByRole('combobox', { name: '选项来源' })
const value = () => (box() as HTMLInputElement).value

test('a dictionary of the project is picked by its name, and the field then follows it', async () => {
  const patches = pickFor({
    prop: 'syndrome',
    label: '证候',
    type: 'select',
    dicData: [{ label: '甲', value: '1' }],
  } as DesignColumn)
  expect(value()).toBe('本字段自有')
  await userEvent.click(box())
  await userEvent.click(await screen.findByRole('option', { name: '项目字典：证候（TCM，2 项）' }))
  expect(patches).toEqual([
    {
      dicUrl: '/api/edc/project/dict/child-list?code=TCM',
      dicData: undefined,
      props: { label: 'label', value: 'value' },
    },
  ])
})

test('a field that follows one says which, and takes its choices back to itself', async () => {
  const patches = pickFor({
    prop: 'organ',
    label: '脏腑',
    type: 'select',
    dicUrl: '/api/edc/project/dict/child-list?code=ZZ',
  } as DesignColumn)
  await screen.findByDisplayValue('项目字典：脏腑（ZZ，2 项）')
  await userEvent.click(box())
  await userEvent.click(await screen.findByRole('option', { name: '本字段自有' }))
  expect(patches).toMatchObject([{ dicUrl: undefined, dicData: [{ value: '1' }, { value: '2' }] }])
})

test('an address that is none of the project’s dictionaries is shown as it is, and not lost', async () => {
  pickFor({ prop: 'drug', label: '药物', type: 'select', dicUrl: 'https://lists.example.org/drugs' } as DesignColumn)
  await waitFor(() => expect(value()).toBe('https://lists.example.org/drugs'))
})
