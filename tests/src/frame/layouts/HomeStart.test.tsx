import '#tests/src/data/support/indexedDb.ts'
import { screen } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { beforeAll, expect, test } from 'vitest'
import { err, ok } from '#core/result.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { HomeStart } from '#src/frame/layouts/HomeStart.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Where a person comes in. */

beforeAll(() => speak('zh'))

const project = (facts: Partial<ProjectRow> = {}) => projectRow({ functions: ['workspace', 'patients'], ...facts })

function comeIn(projects: Desk['projects'], session: Desk['session'] = {}) {
  show(
    <AtDesk desk={{ ...(projects === undefined ? {} : { projects }), session }}>
      <Routes>
        <Route path="/wel" element={<HomeStart />} />
        <Route path="/wel/index" element={<p>home</p>} />
        <Route path="/p/:id" element={<p>work</p>} />
      </Routes>
    </AtDesk>,
    '/wel',
  )
}

test('with one project in its work', async () => {
  comeIn(() => Promise.resolve(ok([project()])))
  expect(await screen.findByText('work')).toBeTruthy()
})

test.each([
  ['with several projects', [project(), project({ id: '0190a000-0000-7000-8000-000000000002' })]],
  ['with none', []],
  ['with one that is being set up', [project({ projectStatus: 'start' })]],
  ['with one whose work is not open to them', [project({ functions: ['design'] })]],
] as const)('at home %s', async (_, projects) => {
  comeIn(() => Promise.resolve(ok([...projects])))
  expect(await screen.findByText('home')).toBeTruthy()
})

test('at home where the projects cannot be had, which says why', async () => {
  comeIn(() => Promise.resolve(err({ code: 'not_kept' })))
  expect(await screen.findByText('home')).toBeTruthy()
})
