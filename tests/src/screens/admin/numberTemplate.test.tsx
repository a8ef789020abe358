// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { err, ok } from '#core/result.ts'
import { NumberTemplateDialog } from '#src/screens/admin/NumberTemplateDialog.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const SETTINGS = { isDouble: 1, isFilterPeriod: 'Y', minTesters: 2, numberTemplate: '{SiteCode}-{Seq:000}' }

/** What was sent to be saved. */
let sent: unknown[] = []
let projects = 0

/** The dialog of a project; another one each time, for what was read is remembered. */
function open(refusal: string | null = null) {
  projects += 1
  sent = []
  const onClose = vi.fn<() => void>()
  const projectId = `0190a000-0000-7000-8000-0000000003${String(projects).padStart(2, '0')}`
  const call = (async (id: string, { query, body }: { query?: { template: string }; body?: unknown }) => {
    if (id === 'project.confDetail') return ok(SETTINGS)
    if (id === 'center.numberPreview') {
      const template = query?.template ?? ''
      const collides = !template.includes('{SiteCode}')
      return ok({ problem: collides ? 'numbers_collide' : null, numbers: collides ? [] : [{ centerId: projectId, centerName: '北院', no: `下一个是 ${template}` }] })
    }
    sent.push(body)
    return refusal === null ? ok(SETTINGS) : err({ code: 'invalid', fields: [{ path: 'body.numberTemplate', code: refusal }] })
  }) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call } }}>
      <NumberTemplateDialog projectId={projectId} onClose={onClose} />
    </AtDesk>,
  )
  return { onClose }
}

const field = () => screen.findByLabelText(/^规则/)
const type = async (text: string) => {
  const input = await field()
  await userEvent.clear(input)
  // Braces are keys to the typist.
  await userEvent.type(input, text.replaceAll('{', '{{'))
}

test('the next numbers stand below the template while it is typed', async () => {
  open()
  expect(await screen.findByText('下一个是 {SiteCode}-{Seq:000}')).toBeTruthy()
  await type('T{SiteCode}.{Seq:00}')
  expect(await screen.findByText('下一个是 T{SiteCode}.{Seq:00}')).toBeTruthy()
})

test('what cannot be read is told at the field, and not sent', async () => {
  open()
  await type('{SiteCode}')
  expect(await screen.findByText('缺少流水号：请加入 {Seq:000} 或 {StudySeq:0000}。')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(sent).toEqual([])
})

test('what would make a number twice is told before anybody saves it', async () => {
  open()
  await type('P{Seq:000}')
  expect((await screen.findByRole('alert')).textContent).toContain('可能与其他中心现在或以前的编号重复')
})

test('a part is put in where the hand is', async () => {
  open()
  const input = await field()
  await userEvent.clear(input)
  await userEvent.click(screen.getByRole('button', { name: /\{SiteCode\}/ }))
  await userEvent.type(input, '-')
  await userEvent.click(screen.getByRole('button', { name: /\{Seq:000\}/ }))
  expect((input as HTMLInputElement).value).toBe('{SiteCode}-{Seq:000}')
})

test('is saved with the other settings as they are at the server', async () => {
  const { onClose } = open()
  await type('T{SiteCode}-{Seq:0000}')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent).toMatchObject([{ ...SETTINGS, numberTemplate: 'T{SiteCode}-{Seq:0000}' }])
})

test('a refusal of the server is told in words, and the dialog stays', async () => {
  const { onClose } = open('numbers_collide')
  await type('T{SiteCode}-{Seq:0000}')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  expect((await screen.findByRole('alert')).textContent).toContain('可能与其他中心现在或以前的编号重复')
  expect(onClose).not.toHaveBeenCalled()
})
