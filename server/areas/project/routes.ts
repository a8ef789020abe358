import { withTransaction } from '#server/database/transaction.ts'
import { membership } from '#server/access.ts'
import { addCenter, listCenters, updateCenter } from '#server/areas/project/centers.ts'
import * as service from '#server/areas/project/service.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'project.save': (context) => service.createProject(context),
  'project.update': service.updateProject,
  'project.remove': service.removeProjects,
  'project.detail': service.readProject,
  'project.list': service.listProjects,
  'project.confDetail': service.readConfig,
  'project.confUpdate': service.updateConfig,
  'project.changeStatus': service.changeStatus,
  'project.authList': async ({ services, actor, query }) => {
    const { permissions } = await withTransaction(services.pool, (transaction) => membership(transaction, actor, query.projectId))
    // Category 2: a right, and no entry of the project's menu.
    return [...permissions].map((code) => ({ id: code, code, name: code, parentId: null, category: 2, isDisabled: false }))
  },
  'center.list': listCenters,
  'center.save': addCenter,
  'center.update': updateCenter,
}
