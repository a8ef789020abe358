// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { Question } from '#src/data/shapes/queryTypes.ts'
import { RaiseQuery } from '#src/form/queries/RaiseQuery.tsx'
import { pdf } from '#tests/core/files/samples.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const ofPatient = { folderId: null, folderRepeat: null, pageId: null, pageRepeat: null, pass: null }
const place: QueryPlace = {
  ...ofPatient,
  patientId: newId(),
  parentEntryId: null,
  table: null,
  rid: null,
  code: null,
}

test('a question that was begun is there again with its file, and both go under the id for which the file was kept', async () => {
  const asked: Question[] = []
  const keptFor: string[] = []
  const desk: Desk = {
    takeQueryFile: (_, { queryId }, { name, type, content }) => {
      keptFor.push(queryId)
      return Promise.resolve(ok({ id: newId(), name, type, size: content.size, hash: '0'.repeat(64) }))
    },
    raiseQuery: (_, __, question) => {
      asked.push(question)
      return Promise.resolve({ ok: true, at: '2026-11-21T08:00:00.000Z', id: question.id ?? '' })
    },
  }
  const look = () => {
    cleanup()
    show(
      <AtDesk desk={desk}>
        <RaiseQuery projectId="p" versionId={null} place={place} label="受试者" seen={null} onClose={() => undefined} />
      </AtDesk>,
    )
  }
  const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: '问题' })
  look()
  await userEvent.click(box())
  await userEvent.paste('请核对附件')
  const chooser = document.querySelector<HTMLInputElement>('input[type=file][multiple]')
  if (chooser === null) throw new Error('no files can be chosen')
  await userEvent.upload(chooser, new File([pdf()], '化验单.pdf', { type: 'application/pdf' }), { applyAccept: false })
  await waitFor(() => expect(screen.getByText('化验单.pdf')).toBeTruthy())

  look()
  expect(box().value).toBe('请核对附件')
  expect(screen.getByText('化验单.pdf')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '提出质疑' }))
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(asked).toMatchObject([{ id: keptFor[0], text: '请核对附件', files: [{ name: '化验单.pdf' }] }])
  look()
  expect(box().value).toBe('')
  expect(screen.queryByText('化验单.pdf')).toBeNull()
})
