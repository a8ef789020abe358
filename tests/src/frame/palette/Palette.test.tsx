import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router-dom'
import { beforeAll, expect, test } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import type { PatientFilter } from '#src/data/shapes/listTypes.ts'
import { SearchButton } from '#src/frame/palette/SearchButton.tsx'
import { patientRow } from '#tests/src/data/support/ward.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Finding a subject or a screen from anywhere. */

beforeAll(() => speak('zh'))

const PROJECT = projectRow({ role: 'CRC', permissions: [...defaultPermissions('CRC')] })
const WARD = Array.from({ length: 140 }, (_, at) => ({
  ...patientRow(`01-${String(at + 1).padStart(3, '0')}`),
  id: newId(),
  initials: at === 77 ? 'ZXM' : 'LHY',
  mark4: '',
  sync: 'received' as const,
  centerName: '北院',
  pass: 1 as const,
}))

function Address() {
  const { pathname, search } = useLocation()
  return <output data-testid="address">{`${pathname}${search}`}</output>
}

function look(
  answered: (no: string) => Promise<unknown> = () => Promise.resolve(),
  at = `/p/${PROJECT.id}/v/v1/patients`,
) {
  const patients = async (_projectId: string, { no = '', size = 10 }: PatientFilter) => {
    await answered(no)
    const found = WARD.filter((one) => `${one.no} ${one.initials}`.toLowerCase().includes(no.toLowerCase()))
    return ok({ patients: found.slice(0, size), total: found.length })
  }
  const desk = { patients, project: async () => ok(PROJECT), projects: async () => ok([PROJECT]) }
  show(
    <AtDesk desk={desk}>
      <main id="main" tabIndex={-1} />
      <SearchButton breakpoint={3} />
      <Address />
    </AtDesk>,
    at,
  )
}

const address = () => screen.getByTestId('address').textContent

async function open() {
  await userEvent.click(screen.getByRole('button', { name: '查找' }))
  return screen.findByRole('combobox')
}

test('two digits and Enter open the casebook of one of 140 subjects, whose number is not in the address', async () => {
  look()
  await userEvent.type(await open(), '42{Enter}')
  await waitFor(() => expect(address()).toBe(`/eCRF/${WARD[41]?.id}?p=${PROJECT.id}`))
})

test('Enter that comes before the answer takes the first of this text, never of the one before', async () => {
  const waiting = Promise.withResolvers<undefined>()
  look((no) => (no === '07' ? waiting.promise : Promise.resolve()))
  const box = await open()
  await userEvent.type(box, '0')
  await screen.findByRole('option', { name: /01-001/ })
  await userEvent.type(box, '7{Enter}')
  expect(address()).toContain('/patients')
  waiting.resolve(undefined)
  await waitFor(() => expect(address()).toContain(WARD[6]?.id))
})

test('Ctrl and K open it, the arrows go through the list, and Esc gives the focus back', async () => {
  const user = userEvent.setup()
  look()
  screen.getByRole('button', { name: '查找' }).focus()
  await user.keyboard('{Control>}k{/Control}')
  const box = await screen.findByRole('combobox')
  await waitFor(() => expect(document.activeElement).toBe(box))
  await user.type(box, '40')
  await screen.findByRole('option', { name: /01-140/ })
  await user.keyboard('{ArrowDown}')
  const active = document.getElementById(box.getAttribute('aria-activedescendant') ?? '')
  expect(active?.textContent).toContain('01-140')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: '查找' })))
})

test('screens that the user may see are found by a part of their name', async () => {
  look()
  const box = await open()
  await userEvent.type(box, '本机')
  await userEvent.click(await screen.findByRole('option', { name: /本机数据/ }))
  expect(address()).toBe('/device')
  await userEvent.type(await open(), '项目设置')
  expect(await screen.findByText('没有符合“项目设置”的受试者或页面')).toBeTruthy()
})

test('outside of projects the subjects of all are found, with the project they are in', async () => {
  look(undefined, '/wel/index')
  await userEvent.type(await open(), 'zx')
  expect((await screen.findByRole('option', { name: /01-078 · ZXM/ })).textContent).toContain(PROJECT.projectName)
})

test('a text that leads nowhere says so', async () => {
  look()
  await userEvent.type(await open(), 'qqq')
  expect(await screen.findByText('没有符合“qqq”的受试者或页面')).toBeTruthy()
})
