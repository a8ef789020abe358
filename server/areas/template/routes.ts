import * as service from '#server/areas/template/service.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'template.list': service.listTemplates,
  'template.detail': service.readTemplate,
  'template.save': service.saveTemplate,
  'template.remove': service.removeTemplates,
}
