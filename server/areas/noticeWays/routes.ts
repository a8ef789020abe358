import { changeSettings, readSettings } from '#server/areas/noticeWays/service.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'notice.settings': readSettings,
  'notice.setSettings': changeSettings,
}
