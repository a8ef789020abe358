import '#tests/src/data/support/indexedDb.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { TemplateSummary } from '#core/api/calls/template.ts'
import { foldersOf } from '#core/design/design.ts'
import { err, ok } from '#core/result.ts'
import { SaveTemplateDialog } from '#src/screens/design/SaveTemplateDialog.tsx'
import { TemplatesDialog } from '#src/screens/design/TemplatesDialog.tsx'
import type { Session } from '#src/session/types.ts'
import { designWith, draftOf, showDraft } from '#tests/src/screens/design/support/draft.tsx'
import { speak } from '#tests/src/support/screen.tsx'

/** Templates, as a designer takes one into a draft, removes one and puts a page aside as one. */

beforeAll(() => speak('zh'))

const template = (id: string, kind: 'page' | 'folder', name: string, more: Partial<TemplateSummary> = {}) => ({
  id,
  source: 'own' as const,
  kind,
  name,
  nameEn: null,
  remark: null,
  remarkEn: null,
  part: null,
  pages: 1,
  fields: 3,
  createdByName: '吴项目',
  createdAt: null,
  mayRemove: false,
  ...more,
})
const TEMPLATES = [template('1', 'page', '血压'), template('2', 'folder', '筛选期', { mayRemove: true })]
const FOLDER = foldersOf(designWith([{ prop: 'sbp', label: '收缩压', type: 'number' }]))[0]

const call = vi.fn(async (_id: string, _input: unknown) => ok({}) as unknown)
const asks: Partial<Session> = { call: call as unknown as Session['call'] }
/** What the server says to each call. */
function serve(answers: Readonly<Record<string, unknown>>) {
  call.mockImplementation(async (id) => answers[id] ?? err({ code: 'offline' }))
}
beforeEach(() => serve({ 'template.list': ok(TEMPLATES), 'template.detail': ok({ ...TEMPLATES[0], folder: FOLDER }) }))

const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name, 'u') }))

test('a page of a template is put into the visit and opened', async () => {
  const draft = draftOf(designWith([]))
  const close = vi.fn()
  showDraft(draft, () => <TemplatesDialog editor={draft} folderId="g" onClose={close} />, { session: asks })
  await userEvent.click((await row('血压')).getByRole('button', { name: '插入' }))
  await vi.waitFor(() => expect(close).toHaveBeenCalled())
  const { design, selection } = draft.view()
  expect(design.folders[1]?.pageIds).toHaveLength(2)
  expect(selection).toMatchObject({ of: 'page', folderId: 'g' })
  draft.stop()
})

test('without a visit only a visit can be put in; one that cannot be read says why', async () => {
  const draft = draftOf(designWith([]))
  showDraft(draft, () => <TemplatesDialog editor={draft} folderId={null} onClose={() => undefined} />, {
    session: asks,
  })
  expect((await row('血压')).getByRole<HTMLButtonElement>('button', { name: '插入' }).disabled).toBe(true)
  expect(screen.getByText(/还没有访视：请先新增访视/u)).toBeTruthy()
  serve({ 'template.list': ok(TEMPLATES), 'template.detail': err({ code: 'not_found' }) })
  await userEvent.click((await row('筛选期')).getByRole('button', { name: '插入' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(draft.view().design.folders).toHaveLength(2)
  draft.stop()
})

test('one is removed by who may', async () => {
  const draft = draftOf(designWith([]))
  showDraft(draft, () => <TemplatesDialog editor={draft} folderId="g" onClose={() => undefined} />, { session: asks })
  expect((await row('血压')).queryByRole('button', { name: '删除' })).toBeNull()
  serve({ 'template.list': ok(TEMPLATES.slice(0, 1)), 'template.remove': ok(true) })
  await userEvent.click((await row('筛选期')).getByRole('button', { name: '删除' }))
  expect(call).toHaveBeenCalledWith('template.remove', { query: { ids: '2' } })
  await vi.waitFor(() => expect(screen.queryByText('筛选期')).toBeNull())
  draft.stop()
})

test('a page is put aside under its own name or another, and that is said', async () => {
  const draft = draftOf(designWith([{ prop: 'pulse', label: '脉搏', type: 'number' }]))
  showDraft(
    draft,
    ({ design }) => (
      <SaveTemplateDialog
        projectId="1"
        design={design}
        place={{ folderId: 'f', pageId: 'p' }}
        onClose={() => undefined}
      />
    ),
    { session: asks },
  )
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: /名称/u })
  expect(name.value).toBe('体征')
  fireEvent.change(name, { target: { value: ' ' } })
  const save = () => userEvent.click(screen.getByRole('button', { name: '存为模板' }))
  await save()
  expect(screen.getByText('必填内容')).toBeTruthy()
  fireEvent.change(name, { target: { value: ' 生命体征 ' } })
  await save()
  expect(await screen.findByRole('alert')).toBeTruthy()
  serve({ 'template.save': ok(TEMPLATES[0]) })
  await save()
  expect(await screen.findByText('已存为模板，可在本机构的任何项目中使用。')).toBeTruthy()
  expect(call).toHaveBeenLastCalledWith('template.save', {
    projectId: '1',
    body: {
      projectId: '1',
      kind: 'page',
      name: '生命体征',
      remark: null,
      folder: expect.objectContaining({
        folderCode: 'V1',
        pages: [expect.objectContaining({ pageCode: 'VS' })],
      }) as unknown,
    },
  })
  draft.stop()
})
