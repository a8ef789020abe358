import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes, useNavigate } from 'react-router-dom'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import { EcrfLayout } from '#src/frame/layouts/EcrfLayout.tsx'
import { EcrfHeader } from '#src/screens/ecrf/EcrfHeader.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** What stands around the screens of one subject. */

beforeAll(() => speak('zh'))

const PROJECT = projectRow({})

/** A screen that gives way to another, as a page does that has been read. */
function Reading() {
  const navigate = useNavigate()
  return (
    <>
      <EcrfHeader backTo="/" backLabel="返回" title="01-001" />
      <button type="button" onClick={() => void navigate(`page?p=${PROJECT.id}`)}>
        read
      </button>
    </>
  )
}

test('the search opens from the header of a subject too, and stays open while the screen below changes', async () => {
  const desk = {
    project: async () => ok(PROJECT),
    projects: async () => ok([PROJECT]),
    patients: async () => ok({ patients: [], total: 0 }),
  }
  show(
    <AtDesk desk={desk}>
      <Routes>
        <Route path="/eCRF/:patientId" element={<EcrfLayout />}>
          <Route index element={<Reading />} />
          <Route path="page" element={<EcrfHeader backTo="/" backLabel="返回" title="生命体征" />} />
        </Route>
      </Routes>
    </AtDesk>,
    `/eCRF/${newId()}?p=${PROJECT.id}`,
  )
  const read = screen.getByRole('button', { name: 'read' })
  await userEvent.click(screen.getByRole('button', { name: '查找' }))
  const box = await screen.findByRole('combobox')
  await userEvent.type(box, '01')
  read.click()
  expect(await screen.findByText('生命体征')).toBeTruthy()
  expect(screen.getByRole('combobox')).toBe(box)
})
