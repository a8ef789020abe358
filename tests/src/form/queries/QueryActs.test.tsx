// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { FileReference } from '#core/files/reference.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { TakenFile } from '#src/data/shapes/fileTypes.ts'
import type { Session } from '#src/session/types.ts'
import type { Deed, KnownQuery, QueryView } from '#src/data/shapes/queryTypes.ts'
import { QueryActs } from '#src/form/queries/QueryActs.tsx'
import { QueryThread } from '#src/form/queries/QueryThread.tsx'
import { pdf, png } from '#tests/core/files/samples.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const AT = '2026-11-21T08:00:00.000Z'
const PATIENT = '0190a000-0000-7000-8000-000000000001'

const QUERY: KnownQuery = {
  id: '0190a000-0000-7000-8000-0000000000e1',
  no: 4,
  patientId: PATIENT,
  centerId: '0190a000-0000-7000-8000-0000000000c1',
  place: {
    patientId: PATIENT,
    folderId: null,
    folderRepeat: null,
    pageId: null,
    pageRepeat: null,
    parentEntryId: null,
    pass: null,
    table: null,
    rid: null,
    code: null,
  },
  versionId: null,
  source: 'monitor',
  rule: null,
  state: 'open',
  wasAsked: true,
  isUrgent: false,
  dueOn: null,
  askedAt: AT,
  stateAt: AT,
  thread: [],
  masked: false,
  updatedAt: AT,
}
const VIEW: QueryView = {
  query: QUERY,
  patientNo: '01-001',
  patientMark: '00AA',
  initials: 'ZS',
  waits: true,
  acts: ['answer', 'comment'],
}

/** What may be done with the query, as the one who is signed in sees it. */
function look(desk: Desk, view: QueryView = VIEW): void {
  cleanup()
  show(
    <AtDesk desk={desk}>
      <QueryActs projectId="p" view={view} />
    </AtDesk>,
  )
}

const COLLEAGUE = '0190a000-0000-7000-8000-0000000000bb'
const ME = '0190a000-0000-7000-8000-0000000000aa'

/** A desk that keeps what is done; the server knows of one colleague. */
function desk(deeds: Deed[], reachable: boolean): Desk {
  const people = [
    { id: ME, name: '吴项目', role: 'CRC' },
    { id: COLLEAGUE, name: '林护士', role: 'CRC' },
  ]
  const call = ((id: string) =>
    Promise.resolve(id === 'query.assignees' ? ok(people) : err({ code: 'not_found' }))) as unknown as Session['call']
  return {
    session: { call, reachable },
    actOnQuery: (_project, _query, deed) => {
      deeds.push(deed)
      return Promise.resolve({ ok: true, at: AT })
    },
  }
}

const SITE: QueryView = { ...VIEW, acts: ['answer', 'comment', 'assign'] }

async function assignTo(name: RegExp | string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: '指派' }))
  await userEvent.click(await screen.findByRole('combobox', { name: '指派给' }))
  await userEvent.click(await screen.findByRole('option', { name }))
  await userEvent.click(screen.getByRole('button', { name: '指派' }))
}

test('a query is given to one of those whom the server names, and only with a person', async () => {
  const deeds: Deed[] = []
  look(desk(deeds, true), SITE)
  await userEvent.click(screen.getByRole('button', { name: '指派' }))
  await screen.findByRole('combobox', { name: '指派给' })
  await userEvent.click(screen.getByRole('button', { name: '指派' }))
  expect(screen.getByText('请选择指派给谁。')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '返回' }))
  await assignTo(/^林护士（/)
  expect(deeds).toEqual([{ act: 'assign', text: null, category: null, assignee: COLLEAGUE }])
})

test('without a network one can take it, or give back what somebody has; else nothing is offered', async () => {
  const deeds: Deed[] = []
  look(desk(deeds, false), SITE)
  await assignTo('我自己')
  look(desk(deeds, false), { ...SITE, query: { ...QUERY, assigneeId: ME, assigneeName: '吴项目' } })
  await assignTo('不指定个人')
  expect(deeds.map(({ assignee }) => assignee)).toEqual([ME, null])
  look(desk(deeds, false), { ...VIEW, acts: ['close', 'comment', 'assign'] })
  expect(screen.queryByRole('button', { name: '指派' })).toBeNull()
  look(desk(deeds, true), { ...VIEW, acts: ['close', 'comment', 'assign'] })
  expect(screen.getByRole('button', { name: '指派' })).toBeTruthy()
})

const box = () => screen.queryByRole<HTMLTextAreaElement>('textbox', { name: '答复内容' })

test('an answer that was begun is still there when its sheet comes again, and only for the one who has begun it', async () => {
  const own: Desk = {}
  look(own)
  await userEvent.click(screen.getByRole('button', { name: '答复' }))
  await userEvent.click(screen.getByRole('radio', { name: '核实无误' }))
  await userEvent.type(screen.getByRole('textbox', { name: '答复内容' }), '与病历一致')

  look(own)
  expect(box()?.value).toBe('与病历一致')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '核实无误' }).checked).toBe(true)
  look(own, { ...VIEW, query: { ...QUERY, id: '0190a000-0000-7000-8000-0000000000e2' } })
  expect(box()).toBeNull()
  look({})
  expect(box()).toBeNull()

  look(own)
  await userEvent.click(screen.getByRole('button', { name: '返回' }))
  look(own)
  expect(box()).toBeNull()
})

/** A desk that keeps the files that are taken at it, and notes what is said. */
function deskThatKeeps() {
  const said: Deed[] = []
  const kept: (TakenFile & { readonly id: string })[] = []
  const watching: (() => void)[] = []
  const desk: Desk = {
    watch: (_, changed) => {
      watching.push(changed)
      return () => undefined
    },
    takeQueryFile: (_, __, file) => {
      const id = newId()
      kept.push({ ...file, id })
      for (const changed of watching) changed()
      const { name, type } = file
      return Promise.resolve(ok<FileReference>({ id, name, type, size: file.content.size, hash: '0'.repeat(64) }))
    },
    queryFileStandings: () =>
      Promise.resolve(ok(new Map(kept.map(({ id }) => [id, { state: 'waiting', share: 0, problem: null, at: null }])))),
    discardQueryFile: (id) => {
      kept.splice(
        kept.findIndex((file) => file.id === id),
        1,
      )
      return Promise.resolve({ ok: true, at: AT })
    },
    actOnQuery: (_, __, deed) => {
      said.push(deed)
      return Promise.resolve({ ok: true, at: AT })
    },
  }
  return { desk, said, kept }
}

/** Chooses files as the browser's own dialog hands them over. */
async function choose(...files: readonly File[]): Promise<void> {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')]
  const chooser = inputs.find(({ multiple }) => multiple)
  if (chooser === undefined) throw new Error('no files can be chosen')
  await userEvent.upload(chooser, [...files], { applyAccept: false })
}
const scan = (name: string) => new File([pdf()], name, { type: 'application/pdf' })
const attached = () =>
  within(screen.getByRole('group', { name: '附件' }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('a scan is added to an answer, says that it is on this device alone, is there when the sheet comes again, and goes with the words', async () => {
  const { desk, said, kept } = deskThatKeeps()
  look(desk)
  await userEvent.click(screen.getByRole('button', { name: '答复' }))
  expect(screen.getByRole('button', { name: '添加附件' })).toBeTruthy()
  await choose(scan('化验单.pdf'), scan('病历.pdf'))
  await waitFor(() => expect(attached()).toHaveLength(2))
  await waitFor(() => expect(attached()[0]).toMatch(/化验单\.pdf.*仅在本机，待上传/))

  look(desk)
  await userEvent.click(screen.getByRole('button', { name: '移除 病历.pdf' }))
  await userEvent.click(screen.getByRole('button', { name: '移除' }))
  await waitFor(() => expect(attached()).toHaveLength(1))
  expect(kept.map(({ name }) => name)).toEqual(['化验单.pdf'])

  // A file alone says nothing: the kind of the answer is asked for, as ever.
  await userEvent.click(screen.getByRole('button', { name: '答复' }))
  expect(said).toEqual([])
  expect(screen.getByText('请选择类别或填写内容。')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: '核实无误' }))
  await userEvent.click(screen.getByRole('button', { name: '答复' }))
  await waitFor(() => expect(said).toHaveLength(1))
  expect(said).toMatchObject([{ act: 'answer', text: null, category: 'confirmed', files: [{ name: '化验单.pdf' }] }])
  expect(said[0]?.files).toHaveLength(1)
})

test('no more than five files go with an answer; what was too much is named', async () => {
  const { desk, kept } = deskThatKeeps()
  look(desk)
  await userEvent.click(screen.getByRole('button', { name: '答复' }))
  await choose(...['1', '2', '3', '4', '5', '6'].map((no) => scan(`${no}.pdf`)))
  await waitFor(() => expect(attached()).toHaveLength(5))
  expect(kept).toHaveLength(5)
  expect(screen.getByText('附件数量已达上限，未添加：6.pdf')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '添加附件' })).toBeNull()
})

test('a single photograph can be covered before it is kept, and what is not a file of ours is not taken', async () => {
  const { desk, kept } = deskThatKeeps()
  look(desk)
  await userEvent.click(screen.getByRole('button', { name: '答复' }))
  await choose(new File(['<svg/>'], '舌.svg'))
  expect(await screen.findByText(/不能添加 舌\.svg/)).toBeTruthy()
  await choose(new File([png(3, 2)], '舌象.png', { type: 'image/png' }))
  const review = await screen.findByRole('dialog', { name: '核对照片：舌象.png' })
  expect(kept).toEqual([])
  await userEvent.click(within(review).getByRole('button', { name: '保存' }))
  await waitFor(() => expect(attached()).toHaveLength(1))
})

test('whoever goes back with files that were not sent is asked first', async () => {
  const { desk, kept } = deskThatKeeps()
  look(desk)
  await userEvent.click(screen.getByRole('button', { name: '答复' }))
  await choose(scan('化验单.pdf'))
  await waitFor(() => expect(attached()).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: '返回' }))
  expect(kept).toHaveLength(1)
  await userEvent.click(await screen.findByRole('button', { name: '放弃并返回' }))
  await waitFor(() => expect(box()).toBeNull())
  expect(kept).toEqual([])
})

test('a thread shows the files of what was said, each with where it is, and leads to where they are looked at', async () => {
  const file = { id: newId(), name: '化验单.png', type: 'image/png', size: 2048, hash: '0'.repeat(64) }
  const turn = {
    effect: 'applied',
    state: 'answered',
    category: null,
    content: null,
    by: newId(),
    byName: '林',
    role: 'CRC',
    at: AT,
    receivedAt: AT,
  } as const
  const thread: KnownQuery['thread'] = [
    {
      ...turn,
      key: newId(),
      act: 'answer',
      text: '见附件',
      files: [
        { ...file, state: 'stored' },
        { ...file, id: newId(), name: '病历.pdf', state: 'expected' },
      ],
    },
  ]
  show(
    <AtDesk desk={{}}>
      <QueryThread projectId="p" view={{ ...VIEW, query: { ...QUERY, thread } }} field={null} />
    </AtDesk>,
  )
  const files = within(screen.getByRole('list', { name: '附件' }))
  expect(files.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/化验单\.png2(\.0)? ?KB · 已在服务器/),
    expect.stringMatching(/病历\.pdf.*尚未从其他设备上传/),
  ])
  expect(files.getByRole('link', { name: '化验单.png' }).getAttribute('href')).toContain(file.id)
})
