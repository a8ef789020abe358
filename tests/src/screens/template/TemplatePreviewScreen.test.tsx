// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TemplateDetail } from '#core/api/calls/template.ts'
import type { ApiError } from '#core/api/errors.ts'
import { starterLibrary } from '#core/design/library/starterLibrary.ts'
import { err, ok } from '#core/result.ts'
import { TemplatePreviewScreen } from '#src/screens/template/TemplatePreviewScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const SUMMARY = {
  source: 'own',
  kind: 'folder',
  name: '基线期',
  nameEn: null,
  remark: null,
  remarkEn: null,
  part: null,
  pages: 2,
  fields: 2,
  createdByName: '吴项目',
  createdAt: '2026-01-01T00:00:00.000Z',
  mayRemove: true,
} as const
const field = (prop: string, zl: object = {}) => JSON.stringify({ column: [{ prop, label: prop, type: 'number', zl }] })

let templates = 0

function open(template: Omit<TemplateDetail, 'id'> | ApiError) {
  templates += 1
  const id = `0190a000-0000-7000-8000-0000000007${String(templates).padStart(2, '0')}`
  const call = (async () =>
    'code' in template ? err(template) : ok({ ...template, id })) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call } }}>
      <Routes>
        <Route path="/template/:id/preview" element={<TemplatePreviewScreen />} />
      </Routes>
    </AtDesk>,
    `/template/${id}/preview`,
  )
}

function openLibrary(id: string) {
  const page = starterLibrary.find((one) => one.id === id)
  if (page === undefined) throw new Error(`there is no ${id}`)
  const { name, about, pageCode, repeatable, option, part } = page
  const pages = [{ pageName: name.zh, pageCode, repeatable, option: JSON.stringify(option) }]
  open({
    ...SUMMARY,
    source: 'library',
    kind: 'page',
    name: name.zh,
    nameEn: name.en,
    remark: about.zh,
    remarkEn: about.en,
    part,
    pages: 1,
    folder: { folderName: name.zh, folderCode: pageCode, pages },
  })
}

const sheet = () => document.querySelector('[data-width]')

describe('the preview of a template', () => {
  test('is the form itself, in either language and each width', async () => {
    openLibrary('lib-VS')
    expect(await screen.findByRole('heading', { name: '模板预览：生命体征' })).toBeTruthy()
    expect(await screen.findByText('是否测量')).toBeTruthy()
    expect(sheet()?.getAttribute('data-width')).toBe('vertical')
    await userEvent.click(screen.getByRole('radio', { name: '英文' }))
    expect(await screen.findByText('Measured')).toBeTruthy()
    expect(screen.queryByText('是否测量')).toBeNull()
    expect(screen.getByRole('heading', { name: 'Vital signs' })).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'A4 横向' }))
    expect(sheet()?.getAttribute('data-width')).toBe('horizontal')
    await userEvent.click(screen.getByRole('radio', { name: '自适应' }))
    expect(sheet()?.getAttribute('data-width')).toBe('auto')
  })

  test('is checked as a submit is, and begins anew when it is cleared', async () => {
    openLibrary('lib-VS')
    await screen.findByText('是否测量')
    await userEvent.click(screen.getByRole('button', { name: '检查本页' }))
    expect((await screen.findAllByText(/是否测量必须填写/)).length).toBeGreaterThan(0)
    await userEvent.click(screen.getByRole('button', { name: '清空' }))
    await waitFor(() => expect(screen.queryByText(/是否测量必须填写/)).toBeNull())
  })

  test('of a visit has its pages to choose from, and names the rules that it leaves out', async () => {
    open({
      ...SUMMARY,
      folder: {
        folderName: '基线期',
        folderCode: 'BL',
        pages: [
          { pageName: '体征', pageCode: 'VS', repeatable: false, option: field('pulse') },
          {
            pageName: '体检',
            pageCode: 'PE',
            repeatable: false,
            option: field('skin', { show: 'visit.GONE.x > 1.0' }),
          },
        ],
      },
    })
    expect(await screen.findByText('pulse')).toBeTruthy()
    await userEvent.click(screen.getByRole('combobox', { name: '表单页' }))
    await userEvent.click(await screen.findByRole('option', { name: '体检', hidden: true }))
    expect(await screen.findByText('skin')).toBeTruthy()
    expect(screen.getByText('以下字段的规则引用模板以外的页面，预览中未启用：skin')).toBeTruthy()
  })

  test('says that a page cannot be read, and why there is none', async () => {
    open({
      ...SUMMARY,
      folder: {
        folderName: '基线期',
        folderCode: 'BL',
        pages: [{ pageName: '体征', pageCode: 'VS', repeatable: false, option: '{"column":1}' }],
      },
    })
    expect(await screen.findByRole('alert')).toBeTruthy()
  })

  test('is refused in words', async () => {
    open({ code: 'forbidden', message: '您没有进行此操作的权限。' })
    expect(await screen.findByText('您没有进行此操作的权限。')).toBeTruthy()
  })
})
