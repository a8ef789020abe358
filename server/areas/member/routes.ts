import type { Handlers } from '#server/http/handler.ts'
import * as service from '#server/areas/member/service.ts'
import { createUser, listDepartments } from '#server/areas/member/users.ts'

export const handlers: Handlers = {
  'member.list': service.listMembers,
  'member.save': service.addMember,
  'member.update': service.updateMember,
  'member.remove': service.removeMembers,
  'member.deptUsers': listDepartments,
  'user.save': createUser,
}
