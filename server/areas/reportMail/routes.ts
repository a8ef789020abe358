import type { Handlers } from '#server/http/handler.ts'

import { readSchedules, removeSchedule, saveSchedule } from './schedules.ts'

export const handlers: Handlers = {
  'report.schedules': readSchedules,
  'report.scheduleSave': saveSchedule,
  'report.scheduleRemove': removeSchedule,
}
