import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router-dom'
import { beforeAll, expect, test, vi } from 'vitest'
import type { AuthResource } from '#core/api/calls/project.ts'
import { ok } from '#core/result.ts'
import { FunctionsDialog } from '#src/frame/shell/bar/FunctionsDialog.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const resource = (code: string, name: string, level: number): AuthResource => ({
  id: code,
  code,
  name,
  remark: null,
  level,
  parentId: null,
  category: 1,
  isDisabled: false,
})

function Address() {
  return <output data-testid="address">{useLocation().pathname}</output>
}

test('mandatory functions are checked for good, advanced ones say so, hidden ones are not there, and the choice loads the project anew', async () => {
  const functions = [resource('patients', '受试者', 0), resource('devices', '设备', 2), resource('behind', '后台', -1)]
  const call = vi.fn(async (id: string) => (id === 'project.resourceList' ? ok(functions) : ok(true)))
  const onClose = vi.fn()
  show(
    <AtDesk desk={{ session: { call: call as unknown as Session['call'] } }}>
      <FunctionsDialog project={projectRow()} onClose={onClose} />
      <Address />
    </AtDesk>,
    '/p/1/v/2/patients',
  )
  const patients = await screen.findByRole<HTMLButtonElement>('checkbox', { name: /受试者/ })
  expect([patients.ariaChecked ?? patients.getAttribute('aria-checked'), patients.disabled]).toEqual(['true', true])
  const devices = screen.getByRole('checkbox', { name: /设备/ })
  expect(devices.textContent).toContain('高级')
  expect(screen.queryByRole('checkbox', { name: /后台/ })).toBeNull()
  await userEvent.click(patients)
  await userEvent.click(devices)
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(call).toHaveBeenCalledWith('project.resourceConfig', {
    body: { projectId: projectRow().id, resourceIds: ['patients', 'behind'] },
    projectId: projectRow().id,
  })
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/302'))
})
