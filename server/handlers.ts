import type { Handlers } from '#server/http/handler.ts'
import { handlers as account } from '#server/areas/account/routes.ts'
import { handlers as attachment } from '#server/areas/attachment/routes.ts'
import { handlers as audit } from '#server/areas/audit/routes.ts'
import { handlers as auth } from '#server/areas/auth/routes.ts'
import { handlers as dataset } from '#server/areas/dataset/routes.ts'
import { handlers as database } from '#server/areas/database/routes.ts'
import { handlers as dict } from '#server/areas/dict/routes.ts'
import { handlers as doubleEntry } from '#server/areas/doubleEntry/routes.ts'
import { handlers as entry } from '#server/areas/entry/routes.ts'
import { handlers as log } from '#server/areas/log/routes.ts'
import { handlers as member } from '#server/areas/member/routes.ts'
import { handlers as message } from '#server/areas/message/routes.ts'
import { handlers as notice } from '#server/areas/notice/routes.ts'
import { handlers as noticeWays } from '#server/areas/noticeWays/routes.ts'
import { handlers as patient } from '#server/areas/patient/routes.ts'
import { handlers as project } from '#server/areas/project/routes.ts'
import { handlers as projectDict } from '#server/areas/projectDict/routes.ts'
import { handlers as query } from '#server/areas/query/routes.ts'
import { handlers as report } from '#server/areas/report/routes.ts'
import { handlers as reportMail } from '#server/areas/reportMail/routes.ts'
import { handlers as review } from '#server/areas/review/routes.ts'
import { handlers as search } from '#server/areas/search/routes.ts'
import { handlers as statistics } from '#server/areas/statistics/routes.ts'
import { handlers as sync } from '#server/areas/sync/routes.ts'
import { handlers as task } from '#server/areas/task/routes.ts'
import { handlers as template } from '#server/areas/template/routes.ts'
import { handlers as uat } from '#server/areas/uat/routes.ts'
import { handlers as version } from '#server/areas/version/routes.ts'
import { handlers as visit } from '#server/areas/visit/routes.ts'
import { handlers as work } from '#server/areas/work/routes.ts'

/** The handler of each call. An area adds its handlers here. A call without a handler is answered as not available. */
export const handlers: Handlers = {
  ...account,
  ...attachment,
  ...audit,
  ...auth,
  ...dataset,
  ...database,
  ...dict,
  ...doubleEntry,
  ...entry,
  ...log,
  ...member,
  ...message,
  ...notice,
  ...noticeWays,
  ...patient,
  ...project,
  ...projectDict,
  ...query,
  ...report,
  ...reportMail,
  ...review,
  ...search,
  ...statistics,
  ...sync,
  ...task,
  ...template,
  ...uat,
  ...version,
  ...visit,
  ...work,
}
