// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ok } from '#core/result.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { PatientData } from '#src/data/device/patients.ts'
import { EnrolDialog } from '#src/screens/patients/EnrolDialog.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** A number that was spent is spent: nobody is enrolled by one tap, or with less than the project asks for. */

beforeAll(() => speak('zh'))

const NORTH = {
  id: '0190a000-0000-7000-8000-0000000000c1',
  centerName: '北院',
  centerCode: '01',
  status: 'active',
  groupSummary: null,
  planEnrolls: null,
  siteNo: 1,
  numberTemplate: null,
} as const

let enrolled: Parameters<PatientData['enrolPatient']>[0][] = []
beforeEach(() => {
  enrolled = []
})

function open(facts: Partial<ProjectRow> = {}): void {
  const enrolPatient: PatientData['enrolPatient'] = (enrolment) => {
    enrolled.push(enrolment)
    return Promise.resolve(ok({ patientId: 'p', no: '01-007' }))
  }
  show(
    <AtDesk desk={{ enrolPatient }}>
      <EnrolDialog
        project={projectRow({ permissions: ['patient_enrol', 'patient_sensitive'], ...facts })}
        centers={[NORTH]}
        onClose={() => undefined}
      />
    </AtDesk>,
  )
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const type = (name: RegExp, text: string) => userEvent.type(screen.getByRole('textbox', { name }), text)
const missing = () => screen.queryAllByText('必填内容').length

describe('enrolling a patient', () => {
  test('asks for initials, sex and date of birth beside the day before it goes on, and spends no number meanwhile', async () => {
    open()
    await press('下一步：核对')
    expect(missing()).toBe(3)
    expect(screen.queryByRole('dialog', { name: LOOK })).toBeNull()
    expect(enrolled).toEqual([])
  })

  test('shows everything once more; the number is spent there, and the way back keeps what was said', async () => {
    open()
    await type(/姓名缩写/, 'ZSF')
    await userEvent.click(screen.getByRole('radio', { name: '女' }))
    await type(/出生日期/, '19600203')
    await press('下一步：核对')
    const look = within(await screen.findByRole('dialog', { name: LOOK }))
    expect([look.getByText('ZSF'), look.getByText('女'), look.getByText('1960-02-03')]).toHaveLength(3)
    expect(enrolled).toEqual([])
    await press('返回修改')
    expect((screen.getByRole('textbox', { name: /姓名缩写/ }) as HTMLInputElement).value).toBe('ZSF')
    await press('下一步：核对')
    await press('确认入组')
    expect(await screen.findByText(/01-007/)).toBeTruthy()
    expect(enrolled).toMatchObject([
      { centerId: NORTH.id, initials: 'ZSF', sex: 'F', identity: { birthDate: '1960-02-03' } },
    ])
  })

  test('asks for what the project says instead', async () => {
    open({ config: { ...projectRow().config, enrolFields: ['mobile'] } })
    await press('下一步：核对')
    expect(missing()).toBe(1)
    await type(/手机/, '12800138000')
    await press('下一步：核对')
    expect(screen.queryByRole('dialog', { name: LOOK })).toBeNull()
    await userEvent.clear(screen.getByRole('textbox', { name: /手机/ }))
    await type(/手机/, '13800138000')
    await press('下一步：核对')
    expect(await screen.findByRole('dialog', { name: LOOK })).toBeTruthy()
  })

  test('asks nobody for what they may not know', async () => {
    open({
      permissions: ['patient_enrol'],
      config: { ...projectRow().config, enrolFields: ['name', 'birthDate', 'mobile'] },
    })
    expect(screen.queryByRole('textbox', { name: /出生日期/ })).toBeNull()
    await press('下一步：核对')
    expect(await screen.findByRole('dialog', { name: LOOK })).toBeTruthy()
  })
})

const LOOK = '入组前请核对'
