import { readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '#scripts/lib/run.ts'

/**
 * The tests in rings: `npm test` runs the essentials before every change, `npm run test:all` everything except what
 * takes hours, which is `npm run test:long`. A test is in the first ring unless its file is named here: a new area may
 * add 60 seconds to the first ring.
 */

/** The projects of vitest.config.ts in both rings. */
export const PROJECTS: readonly string[] = ['core', 'offline', 'server', 'src', 'screens', 'scripts', 'scenarios']

/**
 * Files that take a worker longer than about 12 seconds, except a few that should run for every change; `npm test`
 * names its slowest at its end.
 */
export const SECOND_RING: readonly string[] = [
  'tests/core/exchange/redcap/anything.test.ts',
  'tests/core/exchange/redcap/hostile.test.ts',
  'tests/core/statistics/againstR.test.ts',
  'tests/core/statistics/anything.test.ts',
  'tests/scenarios/acrossPages.test.ts',
  'tests/scenarios/assigned.test.ts',
  'tests/scenarios/attachments.test.ts',
  'tests/scenarios/factsAfterRestore.test.ts',
  'tests/scenarios/failingTablet.test.ts',
  'tests/scenarios/givenUpCenter.test.ts',
  'tests/scenarios/lateAfterRestore.test.ts',
  'tests/scenarios/letGo.test.ts',
  'tests/scenarios/lightCenter.test.ts',
  'tests/scenarios/monitorsDay.test.ts',
  'tests/scenarios/moreHistories.test.ts',
  'tests/scenarios/orderAfterRestore.test.ts',
  'tests/scenarios/patients.test.ts',
  'tests/scenarios/poisonedRecord.test.ts',
  'tests/scenarios/queryFiles.test.ts',
  'tests/scenarios/reasons.test.ts',
  'tests/scenarios/restoreDrill.test.ts',
  'tests/scenarios/session/shift.test.ts',
  'tests/scenarios/session/tabs.test.ts',
  'tests/scenarios/shownAfterRestore.test.ts',
  'tests/scenarios/stillMoreHistories.test.ts',
  'tests/scenarios/twoTabletsRows.test.ts',
  'tests/scenarios/twoTabs.test.ts',
  'tests/scenarios/workerKilled.test.ts',
  'tests/scripts/exportCheck.test.ts',
  'tests/scripts/importCheck.test.ts',
  'tests/server/areas/attachment/ofQuery.test.ts',
  'tests/server/areas/audit/trailAfterRelease.test.ts',
  'tests/server/areas/dataset/clinical/paper.test.ts',
  'tests/server/areas/dataset/clinical/rights.test.ts',
  'tests/server/areas/dataset/clinical/written.test.ts',
  'tests/server/areas/dataset/interrupted.test.ts',
  'tests/server/areas/dataset/leak.test.ts',
  'tests/server/areas/dataset/run.test.ts',
  'tests/server/areas/entry/answers.test.ts',
  'tests/server/areas/entry/resolveAfterRelease.test.ts',
  'tests/server/areas/entry/versions/lookThrough.test.ts',
  'tests/server/areas/message/smtp.test.ts',
  'tests/server/areas/patient/numbers.test.ts',
  'tests/server/areas/projectDict/projectDict.test.ts',
  'tests/server/areas/review/plan.test.ts',
  'tests/server/areas/version/hostile.test.ts',
  'tests/server/areas/version/migration.test.ts',
  'tests/server/areas/version/print.test.ts',
  'tests/server/areas/version/migration/queriesAsked.test.ts',
  'tests/server/areas/version/migration/queriesFollow.test.ts',
  'tests/server/backup/backup.test.ts',
  'tests/server/database/launcher.test.ts',
  'tests/server/database/migrate.test.ts',
  'tests/server/database/open.test.ts',
  'tests/server/demo/demo.test.ts',
  'tests/server/demo/making.test.ts',
  'tests/server/demo/registry.test.ts',
  'tests/server/exports/parquet.test.ts',
  'tests/server/exports/readers.test.ts',
  'tests/server/exports/sdtm.test.ts',
  'tests/server/fullDisk.test.ts',
  'tests/server/health/health.test.ts',
  'tests/server/hostile/badInput.test.ts',
  'tests/server/hostile/twisted.test.ts',
  'tests/server/http/runOnce.test.ts',
  'tests/server/jobs/messagesKilled.test.ts',
  'tests/server/jobs/migrationAside.test.ts',
  'tests/server/jobs/migrationResumed.test.ts',
  'tests/server/jobs/noticeMessages.test.ts',
  'tests/server/jobs/reportMail.test.ts',
  'tests/server/lan/lan.test.ts',
  'tests/server/main.test.ts',
  'tests/server/print/printer.test.ts',
  'tests/server/threads/calls.test.ts',
]

/**
 * What `npm test` runs in a browser: a day of a ward from sign-in to what the server holds of it, one tablet and two
 * shifts, and the allowed size of the first page.
 */
export const FIRST_STORIES: readonly string[] = ['e2e/story.spec.ts', 'e2e/shift.spec.ts', 'e2e/budget.spec.ts']

/** The only story that runs in Firefox and WebKit, so it needs both. */
export const OTHER_ENGINES = 'e2e/engines.spec.ts'

/** All other stories, by file. */
export function otherStories(folder: string = root): readonly string[] {
  const all = readdirSync(path.join(folder, 'e2e'))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `e2e/${name}`)
  return all.filter((file) => !FIRST_STORIES.includes(file))
}
