import type { Handlers } from '#server/http/handler.ts'

import { columnsFor, tablesFor } from './columns.ts'

export const handlers: Handlers = {
  'statistics.tables': async ({ services, actor, body }) => tablesFor(services, actor, body),

  'statistics.columns': async ({ services, actor, body }) => columnsFor(services, actor, body),
}
