import { judgeVersion, listApprovals, signJudgement } from '#server/areas/version/approvals.ts'
import { importDefinition } from '#server/areas/version/import.ts'
import { sortPage } from '#server/areas/version/pageSort.ts'
import { printVersion } from '#server/areas/version/print.ts'
import { listRuleFaults } from '#server/areas/version/ruleFaults.ts'
import { tryRuleOnEntries } from './ruleRun.ts'
import * as service from '#server/areas/version/service.ts'
import type { Handlers } from '#server/http/handler.ts'

import { readDesign, readDesignState, saveDesign } from './design/design.ts'
import { countEnteredPages, listHistory, restoreDesign } from './design/designHistory.ts'
import { migrateAgain, readTask } from './migration/migrationAgain.ts'
import { checkMigration, readPlan } from './migration/migrationCheck.ts'

export const handlers: Handlers = {
  'version.save': service.createDraft,
  'version.remove': service.removeDraft,
  'version.releaseTest': service.publishTest,
  'version.release': service.release,
  'version.migrationPlan': readPlan,
  'version.migrationCheck': checkMigration,
  'version.migrationTask': readTask,
  'version.migrationAgain': migrateAgain,
  'version.back': service.sendBack,
  'version.import': importDefinition,

  // Of the entry family by its path; it changes a draft.
  'entry.pageSort': async (context) => sortPage(context),
  'version.design': readDesign,
  'version.designState': readDesignState,
  'version.designSave': saveDesign,
  'version.designHistory': listHistory,
  'version.designRestore': restoreDesign,
  'version.designEntered': countEnteredPages,
  'version.ruleTry': tryRuleOnEntries,
  'version.ruleFaults': listRuleFaults,
  'version.approveList': listApprovals,
  'version.approveCheck': judgeVersion,
  'version.approveSign': signJudgement,
  'version.history': service.listHistory,
  'version.tree': service.readTree,
  'version.list': service.listVersions,
  'version.detail': service.readVersion,
  'version.print': printVersion,
}
