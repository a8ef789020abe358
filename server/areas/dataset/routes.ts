import { pageOf } from '#core/wire/shapes.ts'
import { membership } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

import { downloadRun } from './download.ts'
import { downloadByLink } from './links/fetch.ts'
import { endOneLink, linksOf, makeLink } from './links/links.ts'
import { factsOf } from './facts.ts'
import { previewOf } from './preview.ts'
import { requireExport } from './rights.ts'
import { askForRun, cancelOneRun, decideAboutRun } from './runs.ts'
import { listRuns } from './runStore.ts'
import { proposalOf } from './sdtm.ts'
import { listSets, removeSet, saveSet } from './sets.ts'

export const handlers: Handlers = {
  'dataset.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireExport(member)
      return listSets(connection, member, query)
    }),

  'dataset.facts': async ({ services, actor, query }) => factsOf(services, actor, query.projectId),

  'dataset.sdtm': async ({ services, actor, query }) => proposalOf(services, actor, query.projectId),

  'dataset.save': saveSet,

  'dataset.remove': removeSet,

  'dataset.preview': async ({ services, actor, body }) => previewOf(services, actor, body),

  'dataset.run': askForRun,

  'dataset.runs': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireExport(member)
      const { current, size } = query
      const asked = { now: services.now(), limit: size, offset: (current - 1) * size }
      const { rows, total } = await listRuns(connection, member, asked)
      return pageOf(rows, total, query)
    }),

  'dataset.decide': decideAboutRun,

  'dataset.cancel': cancelOneRun,

  'dataset.download': downloadRun,

  'dataset.links': async ({ services, actor, query }) => linksOf(services, actor, query),

  'dataset.linkMake': makeLink,

  'dataset.linkEnd': endOneLink,

  'dataset.linked': downloadByLink,
}
