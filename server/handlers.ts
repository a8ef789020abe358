import type { Handlers } from '#server/http/handler.ts'
import { handlers as auth } from '#server/areas/auth/routes.ts'

/** What serves which call. An area adds itself here; what no area serves answers that it is not available. */
export const handlers: Handlers = {
  ...auth,
}
