import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryRow, VersionRow } from '#core/api/sync/rows.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { CasebookScreen } from '#src/screens/ecrf/casebook/CasebookScreen.tsx'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { CENTER_SCOPE, PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, page, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/** What a release left without a place: below its page, or as a page that is only read. */

beforeAll(() => speak('zh'))

let at: Ward
let place: EcrfPlace
beforeEach(async () => {
  at = await ward()
  place = { projectId: PROJECT, patientId: (await enrolled(at)).id }
})

async function pulledEntry(more: Partial<EntryRow>): Promise<void> {
  const id = entryId(target(place.patientId))
  await at.pulled(CENTER_SCOPE, [
    {
      kind: 'entry',
      id,
      seq: 20,
      row: { ...entryRow(id, place.patientId, { weight: 61 }), status: 'process', ...more },
    },
  ])
}

function open(path: string) {
  return show(
    <SessionContext value={closedSession()}>
      <DeviceContext value={at.device}>
        <Routes>
          <Route element={<Outlet context={place} />}>
            <Route path="/" element={<CasebookScreen />} />
            <Route path="/:entryId" element={<EntryScreen />} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
    path,
  )
}

test('values without a place stand below their page in the words that they were entered in, for reading only', async () => {
  await pulledEntry({
    retired: {
      smokes: {
        table: null,
        code: 'smokes',
        value: '1',
        missing: null,
        label: '吸烟',
        tableLabel: null,
        text: '是',
        why: 'removed',
      },
      'r1.dose': {
        table: 'drugs',
        rid: 'r1',
        code: 'dose',
        value: null,
        missing: { m: 'UNK', reason: '病历未记' },
        label: '剂量',
        tableLabel: '用药',
        text: '',
        why: 'removed',
      },
      packs: { table: null, value: 2, missing: null },
    },
  })
  open(`/${entryId(target(place.patientId))}`)
  const table = await screen.findByRole('table', { name: '停用的值' })
  expect(
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      ),
  ).toEqual([
    ['吸烟', '是', '字段已停用'],
    ['用药 · 剂量', 'UNK · 病历未记', '字段已停用'],
    // What was kept before there were words for it is named by its code.
    ['packs', '2', '字段已停用'],
  ])
  expect(within(table).queryByRole('textbox')).toBeNull()
})

test('a page that the version does not have any more is listed as archived, and cannot be written on', async () => {
  await pulledEntry({})
  const next: VersionRow = {
    ...version,
    id: newId(),
    versionNo: 2,
    versionNoDesc: 'V2.0',
    folders: version.folders.map((folder) => ({
      ...folder,
      pages: [{ ...page, id: newId(), pageName: '四诊', pageCode: 'four' }],
    })),
  }
  await at.pulled(PROJECT, [{ kind: 'version', id: next.id, seq: 21, row: next }])
  expect(next.id).not.toBe(VERSION)
  const { unmount } = open('/')
  const archived = await screen.findByRole('region', { name: '归档页面' })
  expect(within(archived).getByRole('link').textContent).toContain('生命体征')
  unmount()
  open(`/${entryId(target(place.patientId))}`)
  expect(await screen.findByText('当前版本已不含此页面，只能查看。')).toBeTruthy()
  expect(screen.getByText('61')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})
