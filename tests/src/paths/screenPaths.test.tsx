// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen } from '@testing-library/react'
import { Outlet, Route, Routes, useLocation, useOutletContext } from 'react-router-dom'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import { crumbsAt, routeAt } from '#src/paths/routeNames.ts'
import { EcrfLayout } from '#src/frame/layouts/EcrfLayout.tsx'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { VersionInUse } from '#src/frame/layouts/VersionInUse.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Addresses as the specification writes them (§2; docs/findings.md K19, ADR 33). */

beforeAll(() => speak('zh'))

function Here() {
  const { pathname, search } = useLocation()
  return <p>{`在 ${pathname}${search}`}</p>
}

function Casebook() {
  const { projectId } = useOutletContext<EcrfPlace>()
  return <p>{`项目 ${projectId}`}</p>
}

describe('the address of a casebook that names the patient alone', () => {
  const patientId = newId()
  const projectId = newId()

  function open(projectOf: NonNullable<Desk['projectOf']>) {
    show(
      <AtDesk desk={{ projectOf }}>
        <Routes>
          <Route path="/eCRF/:patientId" element={<EcrfLayout />}>
            <Route path="log" element={<Casebook />} />
          </Route>
          <Route path="/404" element={<Here />} />
        </Routes>
      </AtDesk>,
      `/eCRF/${patientId}/log`,
    )
  }

  test('opens in the patient’s project, at the same place', async () => {
    open(() => Promise.resolve(ok(projectId)))
    expect(await screen.findByText(`项目 ${projectId}`)).toBeTruthy()
  })

  test('says that there is no access where the patient is not the user’s to see', async () => {
    open(() => Promise.resolve(err({ code: 'not_found' })))
    expect((await screen.findByRole('alert')).textContent).toContain('您当前没有权限')
  })

  test('says what to do where the device does not know the patient and the server is away', async () => {
    open(() => Promise.resolve(err({ code: 'not_kept' })))
    expect((await screen.findByRole('alert')).textContent).toContain('联网后可查看')
  })
})

describe('a version in the address of a screen of data', () => {
  const project = projectRow({ role: 'CRC' })

  test('that is not in use leads to the same place of the version in use', async () => {
    const inUse = newId()
    show(
      <AtDesk desk={{ version: () => Promise.resolve(ok({ id: inUse })) as never }}>
        <Routes>
          <Route path="/p/:id" element={<Outlet context={{ project }} />}>
            <Route path="v/:crfId" element={<VersionInUse />}>
              <Route path="patients" element={<Here />} />
            </Route>
          </Route>
        </Routes>
      </AtDesk>,
      `/p/${project.id}/v/${newId()}/patients?no=1`,
    )
    expect(await screen.findByText(`在 /p/${project.id}/v/${inUse}/patients?no=1`)).toBeTruthy()
  })
})

test('the rules of a version have a name in the window’s title and in the breadcrumb', () => {
  const address = `/p/${newId()}/v/${newId()}/controller`
  expect(routeAt(address)?.place).toBe('controller')
  expect(crumbsAt(address).map(({ place }) => place)).toEqual(['project', 'controller'])
})
