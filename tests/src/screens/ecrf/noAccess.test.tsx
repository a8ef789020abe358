import '#tests/src/data/support/indexedDb.ts'
import { screen } from '@testing-library/react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { ok } from '#core/result.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { AgreementScreen } from '#src/screens/agreement/AgreementScreen.tsx'
import { CheckScreen } from '#src/screens/check/CheckScreen.tsx'
import { DiffScreen } from '#src/screens/ecrf/diff/DiffScreen.tsx'
import { PatientTrailScreen } from '#src/screens/ecrf/trail/PatientTrailScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { SessionContext } from '#src/session/useSession.ts'
import { PROJECT } from '#tests/offline/support/tablet.ts'
import { enrolled, project, ward } from '#tests/src/data/support/ward.ts'
import { syncState } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession, openAs } from '#tests/src/support/session.ts'

/** What a person may not see is not asked for, and they read that they have no access instead of an empty screen. */

beforeAll(() => speak('zh'))

const SCREENS = [
  { what: 'the log of a patient', right: 'audit_view', screenOf: () => <PatientTrailScreen /> },
  { what: 'the comparison of two passes', right: 'double_merge', screenOf: () => <DiffScreen /> },
  { what: 'the agreement of two passes', right: 'double_merge', screenOf: () => <AgreementScreen /> },
  { what: 'the checking of values', right: 'sdv_verify', screenOf: () => <CheckScreen /> },
] as const

test.for(SCREENS)('$what says so to whoever may not see it', async ({ right, screenOf }) => {
  const at = await ward()
  const permissions = project.permissions.filter((one) => one !== right)
  await at.pulled(PROJECT, [{ kind: 'project', id: PROJECT, seq: 29, row: { ...project, permissions } }])
  const place: EcrfPlace = { projectId: PROJECT, patientId: (await enrolled(at)).id }
  const call = vi.fn(async () => ok({ records: [], total: 0, size: 0, current: 1, pages: 1 }))
  const user = { userId: at.crc.owner.userId, account: 'lin', realName: '林协调', isAdmin: false }
  const current = openAs(user)
  show(
    <SessionContext value={{ ...closedSession(), current, call: call as unknown as Session['call'] }}>
      <DeviceContext value={{ ...at.device, syncState: () => Promise.resolve(ok(syncState())) }}>
        <Routes>
          <Route element={<Outlet context={{ ...place, project: { ...project, permissions } }} />}>
            <Route path="/" element={screenOf()} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
  )
  expect(await screen.findByText('无权限')).toBeTruthy()
  expect(call).not.toHaveBeenCalled()
})
