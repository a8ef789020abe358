import { ApiFailure } from '#core/api/errors.ts'
import type { PauseReason } from '#core/api/reportSchedule.ts'
import { periodOf } from '#core/report/rhythm.ts'
import { membership, seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { studyTime } from '#server/areas/notice/morning.ts'
import { reachBy } from '#server/areas/noticeWays/service.ts'
import { countingFor, countReport } from '#server/areas/report/countingOf.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Services } from '#server/services.ts'

import { findAddressee } from './sending.ts'
import type { Addressee } from './sending.ts'
import type { Schedule } from './store.ts'
import { wordReport } from './words.ts'
import type { ReportMail } from './words.ts'

/** Makes the e-mail of a schedule, counted with the rights that its person has at this moment. */

/** `gone`: nothing may be sent any more. `no_address`: there is nowhere to send it to today. */
export type Composed =
  | { readonly kind: 'mail'; readonly to: string; readonly mail: ReportMail }
  | { readonly kind: 'gone'; readonly why: PauseReason }
  | { readonly kind: 'no_address' }

type ComposingServices = Pick<Services, 'pool' | 'now'> & { readonly config: Pick<Services['config'], 'publicUrl'> }

export async function composeReport(
  services: ComposingServices,
  connection: Queryable,
  schedule: Schedule,
): Promise<Composed> {
  const { userId, projectId, kind, centerId, rhythm, language } = schedule
  const addressee = await findAddressee(connection, { userId, projectId, centerId })
  const found = await memberNow(connection, schedule, addressee)
  if (addressee === null || typeof found === 'string')
    return { kind: 'gone', why: typeof found === 'string' ? found : 'account' }
  const to = reachBy('email', { email: addressee.email, phone: null })
  if (to === null) return { kind: 'no_address' }
  const { day } = studyTime(services.now())
  const period = periodOf(kind, rhythm, day)
  const asked = { kind, centerId: centerId ?? undefined, from: period?.from, to: period?.to }
  const report = await countReport(countingFor(services, connection, found, asked), kind)
  const { projectName, centerName } = addressee
  const address = addressOf(services.config.publicUrl, schedule, addressee)
  const mail = wordReport({ projectName, centerName, report, period, day, address }, language)
  return { kind: 'mail', to, mail }
}

/** What the person is in the project now, or why they may not have the report any more. */
async function memberNow(
  connection: Queryable,
  { userId, projectId, centerId }: Schedule,
  addressee: Addressee | null,
): Promise<Membership | PauseReason> {
  if (addressee?.isActive !== true) return 'account'
  if (addressee.isProjectRemoved) return 'project'
  const { account, realName, isAdmin, isDemo } = addressee
  const actor = { userId, account, realName, isAdmin, isDemo, sessionId: '', deviceId: null }
  try {
    const member = await membership(connection, actor, projectId)
    if (!member.permissions.has('report_view')) return 'right'
    return centerId === null || seesCenter(member, centerId) ? member : 'center'
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    if (error.error.code === 'not_found') return 'member'
    if (error.error.code === 'project_not_started') return 'project'
    throw error
  }
}

/** As `src/screens/report` reads it; ids and codes only. */
function addressOf(
  publicUrl: string | null,
  { projectId, kind, centerId }: Schedule,
  { versionId }: Addressee,
): string | null {
  if (publicUrl === null || versionId === null) return publicUrl
  const query = new URLSearchParams({ report: kind, ...(centerId === null ? {} : { center: centerId }) })
  return `${publicUrl}/p/${projectId}/v/${versionId}/report?${query.toString()}`
}
