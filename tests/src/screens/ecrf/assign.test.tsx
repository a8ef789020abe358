// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import type { MemberDetail } from '#core/api/calls/project.ts'
import { err, ok } from '#core/result.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { AssignDialog } from '#src/screens/ecrf/patient/AssignDialog.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const NORTH = '0190a000-0000-7000-8000-0000000000c1'
const SOUTH = '0190a000-0000-7000-8000-0000000000c2'
const member = (at: number, realName: string, facts: Partial<MemberDetail>): MemberDetail => ({
  id: `0190a000-0000-7000-8000-00000000010${at}`,
  projectId: NORTH,
  userId: NORTH,
  account: `m${at}`,
  realName,
  phone: null,
  userRole: 'CRC',
  userRoleName: 'CRC',
  type: 'center',
  dataScope: 'center',
  centerIds: [NORTH],
  entryPass: 1,
  crfApprove: 0,
  status: 'active',
  lastLoginTime: null,
  startDt: null,
  endDt: null,
  remark: null,
  ...facts,
})
const TEAM = [
  member(1, '陈专家', { type: 'expert', userRole: 'PI' }),
  member(2, '南专家', { type: 'expert', userRole: 'PI', centerIds: [SOUTH] }),
  member(3, '林录入', {}),
  member(4, '停用者', { status: 'pause' }),
]
const id = (at: number) => TEAM[at - 1]?.id ?? ''

let asked: [string, { readonly body: unknown; readonly headers: unknown }][] = []
let projects = 0
function open(facts: Partial<PatientView> = {}, refused: string | null = null) {
  asked = []
  projects += 1
  const onClose = vi.fn<() => void>()
  const call = (async (name: string, input: { readonly body: unknown; readonly headers: unknown }) => {
    if (name === 'member.list') return ok({ records: TEAM })
    asked.push([name, { body: input.body, headers: input.headers }])
    return name === refused ? err({ code: 'forbidden' }) : ok(true)
  }) as unknown as Session['call']
  const patient = { id: SOUTH, centerId: NORTH, no: '01-001', ...facts } as PatientView
  show(
    <AtDesk desk={{ session: { call } }}>
      <AssignDialog
        projectId={`0190a000-0000-7000-8000-0000000004${String(projects).padStart(2, '0')}`}
        patient={patient}
        onClose={onClose}
      />
    </AtDesk>,
  )
  return { onClose }
}

const choose = async (label: string, name: RegExp) => {
  await userEvent.click(await screen.findByRole('combobox', { name: label }))
  await userEvent.click(await screen.findByRole('option', { name }))
}
const save = () => userEvent.click(screen.getByRole('button', { name: '保存' }))

test('experts and members of the patient’s center can be chosen, and nobody else', async () => {
  open()
  await userEvent.click(await screen.findByRole('combobox', { name: '专家' }))
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
    expect.stringContaining('陈专家'),
  ])
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('combobox', { name: '负责人' }))
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
    expect.stringContaining('林录入'),
  ])
})

test('says of what was changed alone who it is now, and whether they are to be told', async () => {
  const { onClose } = open({ memIds: [id(3)] })
  await choose('专家', /陈专家/)
  await userEvent.click(screen.getByRole('checkbox'))
  await save()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(asked).toEqual([
    ['patient.expertSave', { body: { patientId: SOUTH, expertIds: [id(1)] }, headers: { 'X-Notify': '1' } }],
  ])
})

test('of two changes the one that went through is not sent again', async () => {
  const { onClose } = open({}, 'patient.memberSave')
  await choose('专家', /陈专家/)
  await choose('负责人', /林录入/)
  await save()
  expect(await screen.findByRole('alert')).toBeTruthy()
  await save()
  await waitFor(() => expect(asked).toHaveLength(3))
  expect(asked.map(([name]) => name)).toEqual(['patient.expertSave', 'patient.memberSave', 'patient.memberSave'])
  expect(onClose).not.toHaveBeenCalled()
})

test('who was assigned before and has gone is still there to be taken away', async () => {
  open({ memIds: [id(4)] })
  expect((await screen.findAllByText(/停用者/)).length).toBeGreaterThan(0)
})
