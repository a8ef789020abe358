// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { ProjectConfScreen } from '#src/screens/admin/ProjectConfScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

let atServer: Record<string, unknown>
/** What was sent to be saved. */
let sent: unknown[]
beforeEach(() => {
  atServer = { isDouble: 1, isFilterPeriod: 'N', minTesters: 0, numberTemplate: '{SiteCode}-{Seq:000}' }
  sent = []
})

let projects = 0

/** The settings of a project; of another one each time, for what was read is remembered. */
function open({ refusal = null, ...facts }: Partial<ProjectRow> & { readonly refusal?: ApiError | null } = {}) {
  projects += 1
  const projectId = `0190a000-0000-7000-8000-0000000003${String(projects).padStart(2, '0')}`
  const call = (async (id: string, { query, body }: { query?: { template: string }; body?: { projectId: string } }) => {
    if (id === 'project.confDetail') return ok(atServer)
    if (id === 'center.numberPreview') {
      const template = query?.template ?? ''
      const collides = !template.includes('{SiteCode}')
      return ok({
        problem: collides ? 'numbers_collide' : null,
        numbers: collides ? [] : [{ centerId: projectId, centerName: '北院', no: `下一个是 ${template}` }],
      })
    }
    const { projectId: to, ...settings } = body ?? { projectId: null }
    expect([id, to]).toEqual(['project.confUpdate', projectId])
    sent.push(settings)
    if (refusal !== null) return err(refusal)
    atServer = { ...atServer, ...settings }
    return ok(atServer)
  }) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call } }}>
      <Routes>
        <Route
          element={
            <Outlet context={{ project: projectRow({ id: projectId, permissions: ['project_edit'], ...facts }) }} />
          }
        >
          <Route path="/" element={<ProjectConfScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
  )
}

const double = () => screen.findByRole('switch', { name: '双份录入' })
const testers = () => screen.findByLabelText(/^发布前须审核的测试人数/)
const template = () => screen.findByLabelText(/^编号规则/)
const save = () => screen.findByRole<HTMLButtonElement>('button', { name: '保存设置' })
const type = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  // Braces are keys to the typist.
  await userEvent.type(field, text.replaceAll('{', '{{'))
}

describe('the settings of a project', () => {
  test('stand as they are at the server, and there is nothing to save yet', async () => {
    open({ config: { isDouble: 0, isFilterPeriod: 'Y', minTesters: 7, numberTemplate: '{Seq:0}' } })
    expect(((await double()) as HTMLInputElement).checked).toBe(true)
    expect((screen.getByRole('switch', { name: '隐藏不在窗口期的访视' }) as HTMLInputElement).checked).toBe(false)
    expect(((await testers()) as HTMLInputElement).value).toBe('0')
    expect(((await template()) as HTMLInputElement).value).toBe('{SiteCode}-{Seq:000}')
    expect((await save()).disabled).toBe(true)
  })

  test('are saved by one button: those that were changed and no others, for somebody else may be changing these', async () => {
    open()
    await userEvent.click(await double())
    await userEvent.click(screen.getByRole('switch', { name: '隐藏不在窗口期的访视' }))
    await type(await testers(), '2')
    await userEvent.click(await save())
    expect((await screen.findByText('设置已保存。')).closest('[role=status]')).not.toBeNull()
    expect(sent).toEqual([{ isDouble: 0, isFilterPeriod: 'Y', minTesters: 2 }])
    expect((await save()).disabled).toBe(true)
    await type(await testers(), '3')
    expect(screen.queryByText('设置已保存。')).toBeNull()
    await userEvent.click(await save())
    await waitFor(() => expect(sent.at(-1)).toEqual({ minTesters: 3 }))
  })

  test('are not sent where one that was changed is as it was again', async () => {
    open()
    await userEvent.click(await double())
    await userEvent.click(await double())
    expect((await save()).disabled).toBe(true)
  })

  test.each(['', '21', '200'])('ask for 0 to 20 testers: "%s" is told, and not sent', async (text) => {
    open()
    await userEvent.click(await double())
    await userEvent.clear(await testers())
    if (text !== '') await userEvent.type(await testers(), text)
    expect(await screen.findByText('请填写 0–20 的整数')).toBeTruthy()
    expect((await save()).disabled).toBe(true)
    await userEvent.type(await testers(), '{Enter}')
    expect(sent).toEqual([])
  })

  test('stay as they were typed where the server refuses them, with the reason', async () => {
    open({ refusal: { code: 'forbidden' } })
    await type(await testers(), '2')
    await userEvent.click(await save())
    expect((await screen.findByRole('alert')).textContent).toContain('权限')
    expect(((await testers()) as HTMLInputElement).value).toBe('2')
    expect((await save()).disabled).toBe(false)
  })

  test('are told and cannot be changed once the project has ended', async () => {
    open({ projectStatus: 'close' })
    expect(await screen.findByText('项目已结束，设置不能再修改。')).toBeTruthy()
    expect(screen.getByText('{SiteCode}-{Seq:000}')).toBeTruthy()
    expect(screen.queryByRole('switch')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('the template of subject numbers', () => {
  test('shows the next numbers while it is typed', async () => {
    open()
    expect(await screen.findByText('下一个是 {SiteCode}-{Seq:000}')).toBeTruthy()
    await type(await template(), 'T{SiteCode}.{Seq:00}')
    expect(await screen.findByText('下一个是 T{SiteCode}.{Seq:00}')).toBeTruthy()
  })

  test('that cannot be read is told at the field, and not sent', async () => {
    open()
    await type(await template(), '{SiteCode}')
    expect(await screen.findByText('缺少流水号：请加入 {Seq:000} 或 {StudySeq:0000}。')).toBeTruthy()
    await userEvent.click(await save())
    expect(sent).toEqual([])
  })

  test('that would make a number twice is told before anybody saves it', async () => {
    open()
    await type(await template(), 'P{Seq:000}')
    expect((await screen.findByRole('alert')).textContent).toContain('可能与其他中心现在或以前的编号重复')
  })

  test('takes a part where the hand is', async () => {
    open()
    const input = await template()
    await userEvent.clear(input)
    await userEvent.click(screen.getByRole('button', { name: /\{SiteCode\}/ }))
    await userEvent.type(input, '-')
    await userEvent.click(screen.getByRole('button', { name: /\{Seq:000\}/ }))
    expect((input as HTMLInputElement).value).toBe('{SiteCode}-{Seq:000}')
  })

  test('is saved alone; a refusal of the server is told in words', async () => {
    open({ refusal: { code: 'invalid', fields: [{ path: 'body.numberTemplate', code: 'numbers_collide' }] } })
    await type(await template(), 'T{SiteCode}-{Seq:0000}')
    await userEvent.click(await save())
    expect((await screen.findByRole('alert')).textContent).toContain('可能与其他中心现在或以前的编号重复')
    expect(sent).toEqual([{ numberTemplate: 'T{SiteCode}-{Seq:0000}' }])
  })
})
