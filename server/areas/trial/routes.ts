import type { Handlers } from '#server/http/handler.ts'
import { clearTrial, listTrials, readTrial, saveTrial, submitTrial } from '#server/areas/trial/service.ts'

export const handlers: Handlers = {
  'trial.list': listTrials,
  'trial.read': readTrial,
  'trial.save': saveTrial,
  'trial.submit': submitTrial,
  'trial.clear': clearTrial,
}
