import { errorDetail, listErrors, receive } from '#server/areas/log/service.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'log.local': (context) => receive(context),
  'log.upload': (context) => receive(context),
  'log.errorList': ({ services, query }) => listErrors(services, query),
  'log.errorDetail': ({ services, query }) => errorDetail(services, query.id),
}
