// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { ok } from '#core/result.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import type { Device } from '#src/data/device/device.ts'
import type { MarkedPatient, VisitStates } from '#src/data/shapes/listTypes.ts'
import type { PageMark, PatientView } from '#src/data/shapes/types.ts'
import { Matrix } from '#src/screens/workspace/Matrix.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const AT = '2026-11-02T00:00:00.000Z'
const CENTER = '0190a000-0000-7000-8000-0000000000c1'
const idOf = (kind: number, at: number) => `0190a000-0000-7000-8000-00000000${kind}${String(at).padStart(3, '0')}`

const PATIENTS = Array.from({ length: 200 }, (_, at): PatientView => ({
  id: idOf(1, at),
  centerId: CENTER,
  no: `01-${String(at + 1).padStart(3, '0')}`,
  mark: '00AA',
  mark4: '00AA',
  initials: 'ZS',
  sex: 'F',
  enrolledOn: '2026-01-10',
  identity: null,
  rev: 1,
  deleted: false,
  createdBy: idOf(9, 0),
  createdAt: AT,
  updatedAt: AT,
  sync: 'received',
  centerName: '北院',
  pass: 1,
}))

const FOLDERS = Array.from({ length: 3 }, (_, at): FolderRow => ({
  id: idOf(2, at),
  folderName: `第 ${at + 1} 周`,
  folderCode: `V${at + 1}`,
  sort: at,
  pages: [{ id: idOf(3, at), pageName: '生命体征', pageCode: `vital${at}`, repeatable: false, option: '{}', sort: 1 }],
}))

function submitted(patient: MarkedPatient): readonly PageMark[] {
  const target = {
    patientId: patient.id,
    folderId: idOf(2, 0),
    folderRepeat: '0',
    pageId: idOf(3, 0),
    pageRepeat: '0',
    parentEntryId: null,
  }
  return [
    {
      entryId: `${patient.id}/1`,
      target,
      status: 'other',
      progress: { total: 2, answered: 2, missing: 0 },
      mark: 'received',
    },
  ]
}

let asked: string[][] = []

function look(
  visitStates: Device['visitStates'] = () => Promise.resolve(ok(new Map(PATIENTS.map(({ id }) => [id, new Map()])))),
): HTMLElement {
  asked = []
  show(
    <AtDesk
      desk={{
        marks: (_project, patients) => {
          asked.push(patients.map(({ id }) => id))
          return Promise.resolve(ok(new Map(patients.map((patient) => [patient.id, submitted(patient)]))))
        },
        visitStates,
        queriesByVisit: () => {
          const patientId = idOf(1, 1)
          const visits = [
            { patientId, folderId: idOf(2, 0), unsettled: 3, waits: 1 },
            { patientId, folderId: idOf(2, 2), unsettled: 120, waits: 0 },
            { patientId, folderId: null, unsettled: 1, waits: 1 },
          ]
          return Promise.resolve(ok(new Map([[patientId, visits]])))
        },
      }}
    >
      <Matrix
        projectId={idOf(0, 1)}
        folders={FOLDERS}
        patients={PATIENTS}
        started={{ marks: new Map(), states: new Map() }}
        hasQueries
        hidesOutside={false}
      />
    </AtDesk>,
  )
  return screen.getByRole('grid', { name: '访视矩阵' })
}

test('is a grid of all patients, of whom those near the eye are drawn with how far they are', async () => {
  const grid = look()
  expect(grid.getAttribute('aria-rowcount')).toBe('201')
  expect(
    within(grid)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['受试者', '第 1 周', '第 2 周', '第 3 周'])
  const [, first] = within(grid).getAllByRole('row')
  expect(first?.getAttribute('aria-rowindex')).toBe('2')
  expect(within(grid).getAllByRole('row').length).toBeLessThan(40)
  expect(await within(grid).findByRole('button', { name: '01-001 第 1 周：已提交，已提交 1/1 页' })).toBeTruthy()
  expect(within(grid).getByRole('rowheader', { name: /01-001/ })).toBeTruthy()
})

test('a visit says how many queries about it are not settled, and whether one waits for who looks', async () => {
  const grid = look()
  const own = await within(grid).findByRole('button', {
    name: '01-002 第 1 周：已提交，已提交 1/1 页，未解决质疑 3 条',
  })
  expect(own.querySelector('[data-waits]')?.getAttribute('data-count')).toBe('3')
  const others = within(grid).getByRole('button', { name: /01-002 第 3 周：.*未解决质疑 120 条/ })
  expect(others.querySelector('[data-waits]')).toBeNull()
  expect(others.querySelector('[data-count="99+"]')).not.toBeNull()
  expect(
    within(grid)
      .getByRole('button', { name: /01-002 第 2 周/ })
      .getAttribute('aria-label'),
  ).not.toContain('质疑')
})

test('the keyboard goes to any cell, also to one that is not drawn yet, and what comes into view is read once', async () => {
  const grid = look()
  await within(grid).findByRole('button', { name: /01-001 第 1 周：已提交/ })
  within(grid)
    .getByRole('link', { name: /01-001/ })
    .focus()
  await userEvent.keyboard('{Control>}{End}{/Control}')
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^01-200 第 3 周/))
  expect(document.activeElement?.closest('[role=row]')?.getAttribute('aria-rowindex')).toBe('201')
  await userEvent.keyboard('{ArrowUp}')
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^01-199 第 3 周/))
  const all = asked.flat()
  expect(new Set(all).size).toBe(all.length)
})

test('a visit that was missed is not shown as not begun before that is known', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const grid = look(async (_project, patients) => {
    await promise
    return ok<VisitStates>(new Map(patients.map(({ id }) => [id, new Map([[idOf(2, 1), 'missed']])])))
  })
  // What was entered says how far a visit is, whatever is known of its day.
  await within(grid).findByRole('button', { name: /01-001 第 1 周：已提交/ })
  const visit = within(grid).getByRole('button', { name: '01-001 第 2 周' })
  expect(visit.querySelector('svg')).toBeNull()
  resolve()
  expect(await within(grid).findByRole('button', { name: '01-001 第 2 周：未到访，已提交 0/1 页' })).toBe(visit)
  expect(within(grid).getByRole('button', { name: /01-001 第 3 周：未填写/ })).toBeTruthy()
})
