import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expose } from 'comlink'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { messagesZh } from '#core/api/messages.zh.ts'
import type { DefinitionWorker } from '#core/exchange/definitionWorker.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { err, ok } from '#core/result.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { ImportDialog } from '#src/screens/versions/exchange/ImportDialog.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The thread that reads a file. */
class ReadingThread extends EventTarget {
  static readonly all: ReadingThread[] = []
  readonly #channel = new MessageChannel()

  constructor() {
    super()
    ReadingThread.all.push(this)
    this.#channel.port1.addEventListener('message', (event: MessageEvent<unknown>) => {
      this.dispatchEvent(new MessageEvent('message', { data: event.data }))
    })
    this.#channel.port1.start()
    const worker: Pick<DefinitionWorker, 'readDefinition'> = {
      readDefinition: (file) => readDefinition(file, (bytes, encoding) => new TextDecoder(encoding).decode(bytes)),
    }
    expose(worker, this.#channel.port2)
  }

  postMessage(message: unknown): void {
    this.#channel.port1.postMessage(message)
  }

  terminate(): void {
    this.#channel.port1.close()
    this.#channel.port2.close()
  }
}

const DRAFT: VersionRow = {
  id: 'v1',
  versionNo: 2,
  versionNoDesc: 'V2.0',
  crfProfile: 'draft',
  crfProfileDesc: '草稿版',
  remark: null,
  createdAt: '2026-05-06T08:00:00.000Z',
  folders: [],
}
const CSV = new File(
  [
    'Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels"\n',
    'hr,vitals,,text,心率,\n',
  ],
  'ward.csv',
  { type: 'text/csv' },
)

const call = vi.fn(async (_id: string, _input: unknown) => ok({}) as unknown)
const asks: Partial<Session> = { call: call as unknown as Session['call'] }

/** What the server has, and what it says to each call that changes it. */
function serve(answers: Readonly<Record<string, unknown>>) {
  call.mockImplementation(async (id) =>
    id === 'version.design' ? ok({ state: { rev: 7 }, version: DRAFT }) : answers[id],
  )
}

beforeAll(() => speak('zh'))
beforeEach(() => vi.stubGlobal('Worker', ReadingThread))
afterEach(() => {
  call.mockReset()
  for (const thread of ReadingThread.all.splice(0)) thread.terminate()
})

async function choose(file: File): Promise<void> {
  show(
    <AtDesk desk={{ session: asks }}>
      <ImportDialog projectId="p1" version={DRAFT} onClose={() => undefined} />
    </AtDesk>,
  )
  await screen.findByRole('button', { name: '选择文件' })
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input === null) throw new Error('There is nothing to choose a file with')
  await userEvent.upload(input, file, { applyAccept: false })
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const sent = (id: string) => call.mock.calls.filter(([called]) => called === id).map(([, input]) => input)

test('a file goes into the draft as it was looked at, and the draft is taken back to what it was before', async () => {
  serve({
    'version.import': ok({ pages: 1, fields: 1, stateId: 's1', rev: 8 }),
    'version.designRestore': ok({ rev: 9 }),
  })
  await choose(CSV)
  expect(await screen.findByText('ward.csv')).not.toBeNull()
  const folder = screen.getByRole('textbox', { name: '所属访视/文件夹' })
  await userEvent.clear(folder)
  expect(screen.getByRole('button', { name: '导入到草稿' }).hasAttribute('disabled')).toBe(true)
  await userEvent.type(folder, '基线')
  await press('导入到草稿')

  expect((await screen.findByRole('status')).textContent).toContain('已导入 1 页，1 个字段')
  expect(sent('version.import')).toMatchObject([
    {
      query: { crfId: 'v1' },
      projectId: 'p1',
      body: { sourceName: 'ward.csv', rev: 7, mode: 'replace', definition: { folders: [{ folderName: '基线' }] } },
    },
  ])

  await press('恢复导入前的草稿')
  expect(await screen.findByText('草稿已恢复到导入前的状态。')).not.toBeNull()
  expect(sent('version.designRestore')).toMatchObject([{ query: { crfId: 'v1' }, body: { stateId: 's1', rev: 8 } }])
  expect(screen.queryByRole('button', { name: '恢复导入前的草稿' })).toBeNull()
})

test('a draft that somebody has saved meanwhile is looked at anew before anything goes into it', async () => {
  serve({ 'version.import': err({ code: 'draft_changed' }) })
  await choose(CSV)
  await screen.findByText('ward.csv')
  const looks = sent('version.design').length
  await press('导入到草稿')
  expect((await screen.findByRole('alert')).textContent).toContain('其他人刚刚修改了草稿')
  await vi.waitFor(() => expect(sent('version.design').length).toBeGreaterThan(looks))
  expect(await screen.findByRole('button', { name: '导入到草稿' })).not.toBeNull()
})

test.each([
  ['what is no definition is said where it is wrong', new File(['a,b\n1,2\n'], 'other.csv'), '缺少列'],
  ['a file of nothing is said to be empty', new File([''], 'nothing.csv'), '文件是空的。'],
])('%s, and cannot be imported', async (_title, file, words) => {
  serve({})
  await choose(file)
  expect((await screen.findByRole('alert')).textContent).toContain(words)
  expect(screen.queryByRole('button', { name: '导入到草稿' })).toBeNull()
})

test('why a draft cannot be taken back is said beside what was imported', async () => {
  serve({
    'version.import': ok({ pages: 1, fields: 1, stateId: 's1', rev: 8 }),
    'version.designRestore': err({ code: 'draft_changed' }),
  })
  await choose(CSV)
  await screen.findByText('ward.csv')
  await press('导入到草稿')
  await press('恢复导入前的草稿')
  expect((await screen.findByRole('alert')).textContent).toContain(messagesZh.draft_changed)
  expect(screen.getByText('已导入 1 页，1 个字段')).not.toBeNull()
})

const WITH_LOSSES = new File(
  [
    'Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels",Branching Logic (Show field only if...),Field Annotation,Custom Alignment\n',
    'hr,vitals,,text,<b>心率</b>,,,@BARCODE-APP,RH\n',
    "mood,vitals,,mystery,心情,,[nothere]='1',,\n",
  ],
  'losses.csv',
  { type: 'text/csv' },
)

test('what does not come as it is stands by what that means, counted and folded, and the next step is said', async () => {
  serve({})
  await choose(WITH_LOSSES)
  await screen.findByText('losses.csv')
  const folds = screen
    .getAllByRole('button')
    .filter((button) => button.hasAttribute('aria-expanded'))
    .map((button) => button.textContent)
  expect(folds).toEqual([
    '改变：以其他方式带入2 处',
    '需在设计中补写1 处',
    '不影响录入2 处',
    '将生成的页面1 页 · 2 个字段',
  ])
  expect(screen.queryByText('mystery')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: /^改变/ }))
  expect(screen.getByText('mystery')).toBeTruthy()
  expect(screen.getByText('导入后，请在设计中补写 1 处。')).toBeTruthy()
})
