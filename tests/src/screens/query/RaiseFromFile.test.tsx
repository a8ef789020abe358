// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { PlacedLine, QuestionLine } from '#core/api/calls/review/queryLines.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Question } from '#src/data/shapes/queryTypes.ts'
import { RaiseFromFile } from '#src/screens/query/RaiseFromFile.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

/** What arrives at the device, in order. */
let asked: { readonly id: string | undefined; readonly question: Question }[]
/** What the device says to the next questions; where nothing is said, they are taken. */
let answers: (ApiError | null)[]
/** Holds the device back. */
let gate: Promise<void>
let raised: number
beforeEach(() => {
  cleanup()
  asked = []
  answers = []
  gate = Promise.resolve()
  raised = 0
})

const PLACE = {
  patientId: '0190a000-0000-7000-8000-000000000001',
  folderId: null,
  folderRepeat: null,
  pageId: null,
  pageRepeat: null,
  parentEntryId: null,
  pass: null,
  table: null,
  rid: null,
  code: null,
}

/** A server that knows every subject but N99, and that query 7 asks "已问" of anybody. */
function placed({ subject, text }: QuestionLine): PlacedLine {
  if (subject === 'N99') return { problem: 'subject_unknown' }
  return { place: PLACE, content: null, dueOn: null, sameNo: text === '已问' ? 7 : null }
}

function look(): void {
  const call = ((id: string, input: { readonly body: { readonly lines: readonly QuestionLine[] } }) =>
    Promise.resolve(
      id === 'query.placeLines'
        ? ok({ versionId: null, lines: input.body.lines.map(placed) })
        : err({ code: 'not_found' }),
    )) as unknown as Session['call']
  const desk: Desk = {
    session: { call },
    raiseQuery: async (_project, _version, { id, ...question }) => {
      await gate
      asked.push({ id, question })
      const error = answers.shift() ?? null
      return error === null ? { ok: true, id: id ?? '', at: '2026-11-21T08:00:00.000Z' } : { ok: false, error }
    },
  }
  show(
    <AtDesk desk={desk}>
      <RaiseFromFile projectId="p" onRaised={() => (raised += 1)} onClose={cleanup} />
    </AtDesk>,
  )
}

async function choose(...lines: readonly string[]): Promise<void> {
  const file = new File([['受试者编号,质疑内容,优先', ...lines].join('\n')], '质疑.csv', { type: 'text/csv' })
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input === null) throw new Error('no file can be chosen')
  await userEvent.upload(input, file)
}

const tickOf = (row: number) => screen.queryByRole<HTMLInputElement>('checkbox', { name: `提出第 ${row} 行` })
const results = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)
const raise = (count: number) => userEvent.click(screen.getByRole('button', { name: `提出 ${count} 条质疑` }))

test('each line is shown with what was found; what asks the same again waits for a tick', async () => {
  look()
  await choose('N01,请核对,是', 'N99,请核对,', 'N01,请核对,', 'N01,已问,', 'N01,请补充,尽快')
  await screen.findByText('可提出 3 行，有误 2 行，已选 1 行。')
  expect(results()).toEqual([
    '可提出',
    '没有该受试者',
    '与文件中前面的行相同',
    '质疑 7 已提出相同内容',
    '“优先”请填“是”或“否”',
  ])
  expect([2, 3, 4, 5, 6].map((row) => tickOf(row)?.checked)).toEqual([true, undefined, false, false, undefined])
  await raise(1)
  await waitFor(() => expect(results()[0]).toBe('已提出'))
  expect(asked.map(({ question }) => [question.text, question.isUrgent])).toEqual([['请核对', true]])
  expect(raised).toBe(1)
})

test('one that fails stops none, says why, and is asked under the same id when it is tried again', async () => {
  look()
  await choose('N01,一,', 'N01,二,', 'N01,三,')
  await screen.findByText('可提出 3 行，有误 0 行，已选 3 行。')
  answers = [null, { code: 'offline' }, null]
  await raise(3)
  await screen.findByText(/^1 条未能提出/)
  expect([raised, asked.length]).toEqual([2, 3])
  expect(results().map((said) => said === '已提出')).toEqual([true, false, true])
  // The answer was lost on the way: the server has it.
  answers = [{ code: 'invalid', fields: [{ path: 'body.id', code: 'taken' }] }]
  await raise(1)
  await waitFor(() => expect(results()).toEqual(['已提出', '已提出', '已提出']))
  expect(asked.map(({ question }) => question.text)).toEqual(['一', '二', '三', '二'])
  expect(asked[3]?.id).toBe(asked[1]?.id)
  expect(raised).toBe(3)
})

test('the same file chosen once more asks nothing twice', async () => {
  look()
  await choose('N01,一,', 'N01,一,')
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择全部可提出的行' }))
  await raise(2)
  await waitFor(() => expect(results()).toEqual(['已提出', '已提出']))
  expect(new Set(asked.map(({ id }) => id)).size).toBe(2)
  await choose('N01,一,', 'N01,一,', 'N01,二,')
  await waitFor(() => expect(results()).toEqual(['已提出', '已提出', '可提出']))
  await raise(1)
  await waitFor(() => expect(asked.map(({ question }) => question.text)).toEqual(['一', '一', '二']))
})

test('leaving midway asks no more, and what was on its way is counted', async () => {
  look()
  await choose('N01,一,', 'N01,二,')
  await screen.findByText('可提出 2 行，有误 0 行，已选 2 行。')
  let open = (): void => undefined
  gate = new Promise((resolve) => {
    open = resolve
  })
  await raise(2)
  await screen.findByText('正在提出第 1 条，共 2 条')
  cleanup()
  open()
  await waitFor(() => expect(raised).toBe(1))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(asked.map(({ question }) => question.text)).toEqual(['一'])
})

test('a file that cannot be read says why', async () => {
  look()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input === null) throw new Error('no file can be chosen')
  await userEvent.upload(input, new File(['访视,字段\nV1,体重\n'], '坏.csv', { type: 'text/csv' }))
  expect(await screen.findByText('缺少列：受试者编号 · 质疑内容。')).toBeTruthy()
})
