import { handlers as audit } from '#server/areas/audit/routes.ts'
import { handlers as dataset } from '#server/areas/dataset/routes.ts'
import { handlers as review } from '#server/areas/review/routes.ts'
import { handlers as statistics } from '#server/areas/statistics/routes.ts'
import { handlers as template } from '#server/areas/template/routes.ts'
import { handlers as uat } from '#server/areas/uat/routes.ts'
import { handlers as version } from '#server/areas/version/routes.ts'
import type { Handlers } from '#server/http/handler.ts'

/** The handlers of the areas whose calls may be served in threads (./calls.ts says which). */
export const threadHandlers: Handlers = {
  ...audit,
  ...version,
  ...uat,
  ...template,
  ...review,
  ...dataset,
  ...statistics,
}
