import { listDictionaries, listEntries, listLevel, listUsages } from '#server/areas/projectDict/read.ts'
import * as service from '#server/areas/projectDict/service.ts'
import { fillFromTemplate, templateFile } from '#server/areas/projectDict/template.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'projectDict.submit': service.submitEntry,
  'projectDict.fastSubmit': service.submitFast,
  'projectDict.parentList': listDictionaries,
  'projectDict.childList': listEntries,
  'projectDict.lazyList': listLevel,
  'projectDict.remove': service.removeEntries,
  'projectDict.usages': listUsages,
  'projectDict.templateFile': templateFile,
  'projectDict.template': fillFromTemplate,
}
