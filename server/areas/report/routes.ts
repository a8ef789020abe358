import { pageOf } from '#core/wire/shapes.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

import { countReport, countingOf } from './countingOf.ts'
import { readPins, savePins } from './pins.ts'
import { listSubjects } from './subjects.ts'

export const handlers: Handlers = {
  'report.read': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) =>
      countReport(await countingOf(services, connection, actor, query), query.kind),
    ),

  'report.subjects': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const counting = await countingOf(services, connection, actor, query)
      const { lines, total } = await listSubjects(counting, query, query)
      return pageOf(lines, total, query)
    }),

  'report.pins': readPins,
  'report.pinSave': savePins,
}
