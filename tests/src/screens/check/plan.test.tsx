// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { PlanCoverage } from '#core/api/calls/review/check.ts'
import { speak } from '#tests/src/support/screen.tsx'

import { FOLDER, NORTH, PLAN, VITALS, inputsOf, lookAsOneWho, version } from './checkDesk.tsx'

beforeAll(() => speak('zh'))

const counted = { patients: 10, chosen: 3, items: 200, due: 60, done: 12 }
const COVERAGE: PlanCoverage = {
  ...counted,
  patients: 15,
  chosen: 4,
  centers: [
    { centerId: NORTH, centerName: '北院', ...counted },
    { centerId: FOLDER, centerName: '南院', ...counted, patients: 5, chosen: 1 },
  ],
}

const AT_PLAN = { address: '/check?part=plan' }

test('the plan in force is said in words, former ones are folded, and a monitor cannot change it', async () => {
  lookAsOneWho(
    ['sdv_verify'],
    {
      plans: [
        version({
          no: 2,
          plan: {
            ...PLAN,
            critical: [...PLAN.critical, { pageId: VITALS, table: null, code: 'old' }],
            folders: [FOLDER],
            centers: [{ centerId: NORTH, sharePercent: 100, firstOfCenter: 0 }],
          },
        }),
        version({ no: 1, isActive: false, endedAt: '2026-11-02T01:00:00.000Z', byName: '旧数管' }),
      ],
    },
    AT_PLAN,
  )
  expect(await screen.findByText('现行计划 · 第 2 版')).toBeTruthy()
  expect(screen.getAllByText('生命体征')[0]?.closest('li')?.textContent).toBe('生命体征：体重')
  expect(screen.getByText('现行版本已无的字段').closest('li')?.textContent).toBe('现行版本已无的字段：old')
  expect(screen.getAllByText('每中心前 2 例受试者，以及随机抽取 20% 的受试者')).toHaveLength(2)
  expect(screen.getByText('北院：随机抽取 100% 的受试者')).toBeTruthy()
  expect(screen.getByText('筛选访视')).toBeTruthy()
  expect(screen.getByText('历史版本（1）').closest('details')?.open).toBe(false)
  expect(screen.queryByRole('button', { name: '修订计划' })).toBeNull()
})

test('while a new plan is worked out, it is said how far', async () => {
  lookAsOneWho(['sdv_verify'], { plans: [version({ progress: { done: 30, total: 120 } })] }, AT_PLAN)
  expect(await screen.findByRole('progressbar', { name: '正在按新计划统计各表单页' })).toBeTruthy()
  expect(screen.getByText('30/120')).toBeTruthy()
})

test('a manager picks critical fields, sees the coverage, and switches the plan on after a question', async () => {
  const { asked } = lookAsOneWho(
    ['data_review'],
    { plans: [], coverage: COVERAGE, switched: version() },
    { address: '/check?part=plan&track=sdv' },
  )
  await userEvent.click(await screen.findByRole('button', { name: '制定核查计划' }))

  // What is calculated or identifies a subject cannot be picked; a column of a table can.
  await userEvent.type(await screen.findByRole('searchbox', { name: /查找表单页或字段/ }), '生命')
  expect(await screen.findByRole('checkbox', { name: '身高' })).toBeTruthy()
  expect(screen.queryByRole('checkbox', { name: '体质指数' })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: '身份证号' })).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: '体重' }))
  await userEvent.clear(screen.getByRole('searchbox', { name: /查找表单页或字段/ }))
  await userEvent.click(await screen.findByRole('checkbox', { name: '合并用药：全部字段' }))
  expect(screen.getByText('已选 2 个关键字段')).toBeTruthy()

  // Without a reason nothing is switched on.
  await userEvent.click(screen.getByRole('button', { name: '启用计划' }))
  expect(await screen.findByText('请填写说明。')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()

  await userEvent.click(screen.getByRole('button', { name: '计算覆盖范围' }))
  const coverage = within(await screen.findByRole('table', { name: '覆盖范围' }))
  const cells = coverage.getAllByRole('row').at(-1)?.textContent
  expect(cells).toBe('合计1542006030%12')

  await userEvent.type(screen.getByRole('textbox', { name: /说明/ }), '监查计划 V1.0 第 5 章')
  await userEvent.click(screen.getByRole('button', { name: '启用计划' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByRole('table', { name: '覆盖范围' })).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: '启用' }))
  await waitFor(() => expect(inputsOf(asked, 'review.planSwitch')).toHaveLength(1))
  expect(inputsOf(asked, 'review.planSwitch')[0]).toMatchObject({
    track: 'sdv',
    note: '监查计划 V1.0 第 5 章',
    plan: {
      critical: [
        { pageId: VITALS, table: null, code: 'weight' },
        { table: 'drugs', code: 'dose' },
      ],
      sharePercent: 20,
      folders: null,
    },
  })
  // The plan is made: the editor gives way to what holds.
  expect(await screen.findByText('还没有核查计划')).toBeTruthy()
})

test('a plan that the server refuses stays, with the reason', async () => {
  lookAsOneWho(
    ['data_review'],
    { coverage: COVERAGE, switched: { code: 'project_closed' } },
    { address: '/check?part=plan' },
  )
  await userEvent.click(await screen.findByRole('button', { name: '修订计划' }))
  await userEvent.type(await screen.findByRole('textbox', { name: /说明/ }), '修订')
  await userEvent.click(screen.getByRole('button', { name: '启用计划' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByRole('table', { name: '覆盖范围' })
  await userEvent.click(dialog.getByRole('button', { name: '启用' }))
  expect(await dialog.findByRole('alert')).toBeTruthy()
})

test('another seed says that others will be drawn', async () => {
  lookAsOneWho(['data_review'], {}, AT_PLAN)
  await userEvent.click(await screen.findByRole('button', { name: '修订计划' }))
  expect(await screen.findByText(PLAN.seed)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '重新生成' }))
  expect(screen.queryByText(PLAN.seed)).toBeNull()
  expect(screen.getByText(/抽中的受试者会与此前不同/)).toBeTruthy()
})

test('a plan that asks for nothing is not switched on', async () => {
  const nothing = { ...PLAN, critical: [], sharePercent: 0, firstOfCenter: 0 }
  lookAsOneWho(['data_review'], { plans: [version({ plan: nothing })] }, AT_PLAN)
  await userEvent.click(await screen.findByRole('button', { name: '修订计划' }))
  await userEvent.type(await screen.findByRole('textbox', { name: /说明/ }), '空')
  await userEvent.click(screen.getByRole('button', { name: '启用计划' }))
  expect(await screen.findByText(/该计划不要求核查任何内容/)).toBeTruthy()
})
