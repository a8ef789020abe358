import { addCenter, listCenters, previewNumbers, updateCenter } from '#server/areas/project/centers.ts'
import { chooseFunctions, listFunctions, listRights } from '#server/areas/project/functions.ts'
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
  'project.authList': listRights,
  'project.resourceList': listFunctions,
  'project.resourceConfig': chooseFunctions,
  'center.list': listCenters,
  'center.save': addCenter,
  'center.update': updateCenter,
  'center.numberPreview': previewNumbers,
}
