import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expose } from 'comlink'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { messagesZh } from '#core/api/messages.zh.ts'
import type { DefinitionWorker } from '#core/exchange/definitionWorker.ts'
import { writeVersion } from '#core/exchange/writeVersion.ts'
import { err, ok } from '#core/result.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { ExportDialog } from '#src/screens/versions/exchange/ExportDialog.tsx'
import { VersionActions } from '#src/screens/versions/VersionActions.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { watchDownloads } from '#tests/src/support/downloads.ts'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The thread that writes, which may die of what it is given. */
class WritingThread extends EventTarget {
  static readonly all: WritingThread[] = []
  static isMortal = false
  readonly #channel = new MessageChannel()
  isStopped = false

  constructor() {
    super()
    WritingThread.all.push(this)
    this.#channel.port1.addEventListener('message', (event: MessageEvent<unknown>) => {
      this.dispatchEvent(new MessageEvent('message', { data: event.data }))
    })
    this.#channel.port1.start()
    const worker: Pick<DefinitionWorker, 'writeVersion'> = { writeVersion }
    expose(worker, this.#channel.port2)
  }

  postMessage(message: unknown): void {
    if (WritingThread.isMortal) this.dispatchEvent(new Event('error'))
    else this.#channel.port1.postMessage(message)
  }

  terminate(): void {
    this.isStopped = true
    this.#channel.port1.close()
    this.#channel.port2.close()
  }
}

const VERSION: VersionRow = {
  id: 'v1',
  versionNo: 2,
  versionNoDesc: 'V2.0',
  crfProfile: 'formal',
  crfProfileDesc: '正式版',
  remark: null,
  createdAt: '2026-05-06T08:00:00.000Z',
  folders: [
    {
      id: 'f1',
      folderName: '筛选期',
      folderCode: 'SCR',
      sort: 1,
      pages: [
        {
          id: 'p1',
          pageName: '生命体征',
          pageCode: 'VS',
          repeatable: false,
          sort: 1,
          option: '{"column":[{"prop":"hr","label":"心率","type":"number"}]}',
        },
      ],
    },
  ],
}
const ODM = /CDISC ODM 1\.3\.2/

const answers = vi.fn(async (_id: string) => ok(VERSION) as unknown)
const asks: Partial<Session> = { call: answers as unknown as Session['call'] }

beforeAll(() => speak('zh'))
beforeEach(() => {
  answers.mockImplementation(async () => ok(VERSION))
  WritingThread.isMortal = false
  vi.stubGlobal('Worker', WritingThread)
})
afterEach(() => {
  for (const thread of WritingThread.all.splice(0)) thread.terminate()
})

function open() {
  return show(
    <AtDesk desk={{ session: asks }}>
      <ExportDialog project={projectRow({ projectName: '心绞痛: 研究' })} version={VERSION} onClose={() => undefined} />
    </AtDesk>,
  )
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('a version is written beside the page and saved under the name of project, version and format', async () => {
  const saved = watchDownloads()
  open()
  await userEvent.click(screen.getByRole('radio', { name: /证录 JSON/ }))
  await press('生成文件')
  expect((await screen.findByRole('status')).textContent).toContain('文件已生成，所有内容都已写入。')
  await press('保存文件')

  expect(saved.map(({ name, file }) => [name, file.type])).toEqual([['心绞痛 研究_V2.0_json.json', 'application/json']])
  expect(WritingThread.all.map(({ isStopped }) => isStopped)).toEqual([true])
})

test('what the format has no word for is listed with its text', async () => {
  open()
  await userEvent.click(screen.getByRole('radio', { name: /REDCap/ }))
  await press('生成文件')
  const table = await screen.findByRole('table', { name: '未写入的内容' })
  expect(
    within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toContain('SCR访视筛选期')
  expect(screen.getByRole('status').textContent).toContain('1 处内容未能写入')
})

test('a format is chosen with the keys, and another one is written anew', async () => {
  open()
  await userEvent.click(screen.getByRole('radio', { name: ODM }))
  await press('生成文件')
  await screen.findByRole('button', { name: '保存文件' })
  screen.getByRole('radio', { name: ODM }).focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /CDISC ODM 2\.0/ }).checked).toBe(true)
  expect(screen.queryByRole('button', { name: '保存文件' })).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '生成文件' }).disabled).toBe(false)
})

test('a device without the memory for it says so, and may try again', async () => {
  WritingThread.isMortal = true
  open()
  await press('生成文件')
  expect((await screen.findByRole('alert')).textContent).toContain('此设备内存不足')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '生成文件' }).disabled).toBe(false)
})

describe('a form for paper', () => {
  const answerWith = (answer: unknown) =>
    answers.mockImplementation(async (id) => (id === 'version.print' ? answer : ok(VERSION)))

  test.each([
    { name: /空白 CRF/, style: 'blank' },
    { name: /注释 CRF（PDF）/, style: 'annotated' },
  ])('$style comes from the server, in the language of its reader', async ({ name, style }) => {
    answerWith(ok(new Blob(['%PDF-1.7'])))
    const saved = watchDownloads()
    open()
    await userEvent.click(screen.getByRole('radio', { name }))
    await press('生成文件')
    await press('保存文件')
    expect(answers).toHaveBeenLastCalledWith('version.print', {
      params: { id: 'v1' },
      query: { style, language: 'zh' },
      projectId: projectRow().id,
    })
    expect(saved.map((one) => [one.name, one.file.type])).toEqual([
      [`心绞痛 研究_V2.0_${style}.pdf`, 'application/pdf'],
    ])
    expect(WritingThread.all).toEqual([])
  })

  test('that a server cannot make is no riddle', async () => {
    answerWith(err({ code: 'not_available' }))
    open()
    await userEvent.click(screen.getByRole('radio', { name: /空白 CRF/ }))
    await press('生成文件')
    expect((await screen.findByRole('alert')).textContent).toContain('此服务器无法生成 PDF')
  })
})

test('what the server refuses is said in its words, and nothing is written', async () => {
  answers.mockImplementation(async () => err({ code: 'not_found' }))
  open()
  await press('生成文件')
  expect((await screen.findByRole('alert')).textContent).toContain(messagesZh.not_found)
  expect(WritingThread.all).toEqual([])
})

test('whoever closes the dialog while it writes ends the writing', async () => {
  const { unmount } = open()
  const writing = vi.spyOn(WritingThread.prototype, 'postMessage').mockImplementation(() => undefined)
  await press('生成文件')
  await waitFor(() => expect(writing).toHaveBeenCalled())
  unmount()
  expect(WritingThread.all.map(({ isStopped }) => isStopped)).toEqual([true])
})

test.each([
  { who: 'exports', permissions: ['export'], may: true },
  { who: 'designs', permissions: ['design_edit'], may: true },
  { who: 'only views', permissions: ['database_view'], may: false },
] as const)(
  'whoever $who a version is offered its files or only its forms for paper, in any stage',
  async ({ permissions, may }) => {
    for (const crfProfile of ['draft', 'test', 'formal'] as const) {
      const { unmount } = show(
        <AtDesk desk={{ session: asks }}>
          <VersionActions
            project={projectRow({ permissions: [...permissions] })}
            version={{ ...VERSION, crfProfile }}
          />
        </AtDesk>,
      )
      expect(screen.queryByRole('button', { name: '导出' }) !== null).toBe(may)
      expect(screen.queryByRole('button', { name: '打印 CRF' }) !== null).toBe(!may)
      unmount()
    }
  },
)
