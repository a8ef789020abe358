import type { Handlers } from '#server/http/handler.ts'
import { clearUatSubject, listUatEntries, readUatSubject, saveUatPage, submitUatPage } from './service.ts'

export const handlers: Handlers = {
  'trial.list': listUatEntries,
  'trial.read': readUatSubject,
  'trial.save': saveUatPage,
  'trial.submit': submitUatPage,
  'trial.clear': clearUatSubject,
}
