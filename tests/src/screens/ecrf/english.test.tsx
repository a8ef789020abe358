import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { CasebookScreen } from '#src/screens/ecrf/casebook/CasebookScreen.tsx'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { FOLDER, PROJECT, target } from '#tests/offline/support/tablet.ts'
import { enrolled, page, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/** A study in both languages, on a tablet without a network. */

const option = JSON.stringify({
  column: [],
  group: [
    {
      prop: 'signs',
      label: '体征',
      labelEn: 'Signs',
      column: [
        {
          prop: 'pulse',
          label: '脉搏',
          type: 'number',
          placeholder: '数一分钟',
          zl: {
            labels: { zh: '脉搏', en: 'Pulse' },
            unit: '次/分',
            unitEn: '/min',
            note: '静坐后测量',
            noteEn: 'After sitting',
            placeholderEn: 'Count for a minute',
          },
        },
        {
          prop: 'pain',
          label: '疼痛',
          type: 'slider',
          zl: { labels: { zh: '疼痛', en: 'Pain' }, marks: ['无痛', '最痛'], marksEn: ['No pain', 'Worst pain'] },
        },
      ],
    },
  ],
})
const both: VersionRow = {
  ...version,
  folders: [
    {
      id: FOLDER,
      folderName: '筛选期',
      folderNameEn: 'Screening',
      folderCode: 'V1',
      sort: 1,
      pages: [{ ...page, pageName: '生命体征', pageNameEn: 'Vital signs', option }],
    },
  ],
}

let at: Ward
let place: EcrfPlace
beforeEach(async () => {
  at = await ward()
  place = { projectId: PROJECT, patientId: (await enrolled(at)).id }
  await at.pulled(PROJECT, [{ kind: 'version', id: both.id, seq: 20, row: both }])
})

function open(address: string) {
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
    address,
  )
}

const CHINESE = /筛选期|生命体征|体征|次\/分|静坐后|无痛|最痛/u

describe('in English', () => {
  beforeEach(() => speak('en'))

  test('the casebook names visits and pages in English', async () => {
    open('/')
    const visit = await screen.findByRole('region', { name: 'Screening' })
    expect(within(visit).getByRole('link', { name: /Vital signs/ })).toBeTruthy()
    expect(document.body.textContent).not.toMatch(CHINESE)
  })

  test('a page has its title, sections, hints, units, empty boxes and scales in English', async () => {
    open(`/${entryId(target(place.patientId))}`)
    const box = await screen.findByRole('textbox', { name: 'Pulse' })
    expect(box.getAttribute('placeholder')).toBe('Count for a minute')
    expect(screen.getByRole('heading', { name: 'Signs' })).toBeTruthy()
    for (const text of ['/min', 'No pain', 'Worst pain']) expect(screen.getByText(text)).toBeTruthy()
    expect(screen.getByText(/After sitting/)).toBeTruthy()
    expect(screen.getByText(/Screening · Vital signs/)).toBeTruthy()
    expect(document.body.textContent).not.toMatch(CHINESE)
  })
})

describe('in Chinese', () => {
  beforeEach(() => speak('zh'))

  test('the same page is as the study has it', async () => {
    open(`/${entryId(target(place.patientId))}`)
    expect((await screen.findByRole('textbox', { name: '脉搏' })).getAttribute('placeholder')).toBe('数一分钟')
    expect(screen.getByRole('heading', { name: '体征' })).toBeTruthy()
    expect(screen.getByText(/筛选期 · 生命体征/)).toBeTruthy()
    expect(document.body.textContent).not.toMatch(/Screening|Vital signs|Signs|After sitting/)
  })
})
