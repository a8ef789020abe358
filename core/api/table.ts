import { accountCalls, menuCalls } from './calls/account.ts'
import { attachmentCalls } from './calls/attachment.ts'
import { authCalls } from './calls/auth.ts'
import { channelCalls } from './calls/channel.ts'
import { checkCalls } from './calls/review/check.ts'
import { databaseCalls } from './calls/data/database.ts'
import { designCalls } from './calls/design.ts'
import { doubleEntryCalls } from './calls/review/double.ts'
import { entryCalls } from './calls/entry.ts'
import { datasetCalls } from './calls/data/dataset.ts'
import { datasetLinkCalls } from './calls/data/datasetLinks.ts'
import { statisticsCalls } from './calls/data/statistics.ts'
import { deviceLogCalls, serverLogCalls } from './calls/log.ts'
import { migrationCalls } from './calls/migration.ts'
import { noticeCalls } from './calls/notice.ts'
import { patientCalls } from './calls/patient.ts'
import { memberCalls, projectCalls, projectListCalls } from './calls/project.ts'
import { projectDictCalls } from './calls/projectDict.ts'
import { auditCalls, syncCalls, taskCalls } from './calls/sync.ts'
import { dictionaryCalls, systemCalls } from './calls/system.ts'
import { reportCalls } from './calls/data/report.ts'
import { reportScheduleCalls } from './calls/data/reportSchedule.ts'
import { queryCalls } from './calls/review/query.ts'
import { queryLineCalls } from './calls/review/queryLines.ts'
import { searchCalls } from './calls/data/search.ts'
import { templateCalls } from './calls/template.ts'
import { uatCalls } from './calls/uat.ts'
import { userCalls } from './calls/user.ts'
import { versionCalls } from './calls/version.ts'
import { visitCalls } from './calls/visit.ts'
import type { Call } from './call.ts'

/** Calls that can be named by their id, with their types. */
const namedCalls = [
  ...authCalls,
  ...accountCalls,
  ...userCalls,
  ...menuCalls,
  ...dictionaryCalls,
  ...deviceLogCalls,
  ...noticeCalls,
  ...versionCalls,
  ...designCalls,
  ...migrationCalls,
  ...uatCalls,
  ...entryCalls,
  ...doubleEntryCalls,
  ...attachmentCalls,
  ...projectCalls,
  ...memberCalls,
  ...projectListCalls,
  ...projectDictCalls,
  ...templateCalls,
  ...patientCalls,
  ...visitCalls,
  ...queryCalls,
  ...queryLineCalls,
  ...checkCalls,
  ...reportCalls,
  ...reportScheduleCalls,
  ...datasetCalls,
  ...datasetLinkCalls,
  ...statisticsCalls,
  ...searchCalls,
  ...databaseCalls,
  ...syncCalls,
  ...taskCalls,
  ...auditCalls,
] as const

type NamedCall = (typeof namedCalls)[number]

/** Ids of the calls that client and server name in their code. */
export type CallId = NamedCall['id']

/** The contract row of a call, by its id, with its types. */
export type CallOf<Id extends CallId> = Extract<NamedCall, { readonly id: Id }>

/** The whole wire contract: every call of specification §7 and our own. */
export const calls: readonly Call[] = [...namedCalls, ...systemCalls, ...channelCalls, ...serverLogCalls]

const byId: ReadonlyMap<string, Call> = new Map(calls.map((call) => [call.id, call]))

/** The row of a call. */
export function callOf<Id extends CallId>(id: Id): CallOf<Id> {
  // The map was made from the very tuple that `CallOf` is derived from.
  return byId.get(id) as CallOf<Id>
}
