import { endAllSessions, listAccounts, resetPassword, setStatus } from '#server/areas/account/service.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'user.list': listAccounts,
  'user.status': setStatus,
  'user.endSessions': endAllSessions,
  'user.resetPassword': resetPassword,
}
