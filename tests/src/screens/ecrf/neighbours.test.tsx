import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router-dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import type { Device } from '#src/data/device/device.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { Neighbours, PatientFilter } from '#src/data/shapes/listTypes.ts'
import { NeighbourButtons } from '#src/screens/ecrf/patient/NeighbourButtons.tsx'
import { patientRow } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The ways to the subjects before and after one, for whoever keeps no center on the device. */

beforeAll(() => speak('zh'))

const LIST = Array.from({ length: 600 }, (_, at) => ({
  ...patientRow(String(at + 1).padStart(4, '0')),
  id: newId(),
  mark4: '',
  sync: 'received' as const,
  centerName: '北院',
  pass: 1 as const,
}))

function Address() {
  return <output data-testid="address">{useLocation().pathname}</output>
}

/** @param kept what the device itself knows of the neighbours */
function look(at: number, { total = 3, asksServer = true, kept = null as Neighbours | null } = {}) {
  const list = LIST.slice(0, total)
  const patients = vi.fn(async (_projectId: string, { size = 10, current = 1 }: PatientFilter) =>
    ok({ patients: list.slice((current - 1) * size, current * size), total }),
  )
  const neighbours = async () => ok(kept)
  const device: Partial<Device> = { patients, neighbours, watch: () => () => undefined }
  show(
    <DeviceContext value={device as Device}>
      <NeighbourButtons
        projectId="p"
        patientId={LIST[at]?.id ?? ''}
        pathOf={(_, id) => `/eCRF/${LIST.findIndex((one) => one.id === id)}`}
        asksServer={asksServer}
      />
      <Address />
    </DeviceContext>,
  )
  return patients
}

test('they are those of the server’s list, by button and by key, and one request is all', async () => {
  const patients = look(1)
  expect(await screen.findByRole('link', { name: /^上一位受试者：0001/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: /^下一位受试者：0003/ })).toBeTruthy()
  expect(screen.getByTitle('第 2 位，共 3 位')).toBeTruthy()
  await userEvent.keyboard('{Shift>}J{/Shift}')
  expect(screen.getByTestId('address').textContent).toBe('/eCRF/2')
  expect(patients).toHaveBeenCalledTimes(1)
})

test('the server is not asked before the screen has what it is about, nor where the device knows the list', async () => {
  const early = look(1, { asksServer: false })
  const [previous = null, , next = null] = LIST
  const kept = look(1, { kept: { previous, next, place: 2, total: 3 } })
  await waitFor(() => expect(screen.getByTitle('第 2 位，共 3 位')).toBeTruthy())
  expect([early.mock.calls, kept.mock.calls]).toEqual([[], []])
})

test('of a list that is longer than one answer nobody is called the last who is not', async () => {
  look(499, { total: 600 })
  look(498, { total: 600 })
  expect(await screen.findByTitle('第 499 位，共 600 位')).toBeTruthy()
  expect(screen.queryByTitle('第 500 位，共 600 位')).toBeNull()
  expect(screen.queryByRole('button', { name: '已是最后一位受试者' })).toBeNull()
})
