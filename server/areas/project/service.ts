import { fail } from '#core/api/errors.ts'
import type { ProjectConfig } from '#core/api/calls/project.ts'
import type { Page } from '#core/wire/shapes.ts'
import { newId } from '#core/ids.ts'
import { DEFAULT_TEMPLATE } from '#core/study/patientNumber.ts'
import { mayChangeStatus } from '#core/study/projectStatus.ts'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import { DEFAULT_MIN_TESTERS } from '#core/study/versionLife.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { membership, requirePermission } from '#server/access.ts'
import { commitForMember, commitProject } from '#server/database/commit.ts'
import type { NewChange, Committed } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { applyHeld } from '#server/areas/entry/held.ts'
import { readyAgain } from '#server/areas/entry/review/facts.ts'
import { numberingsOfProject } from '#server/areas/patient/numbers.ts'
import { changeTemplates, requireTemplate } from '#server/areas/project/numberTemplates.ts'
import * as store from '#server/areas/project/store.ts'
import type { Actor, CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'
import { readIds, runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

/** Projects: their names, their settings, and their status. */

/** Statuses in which a project may be set up: all before its end. */
export const OPEN_STATUSES: readonly ProjectStatus[] = ['start', 'process', 'stop']

const DEFAULT_CONFIG: ProjectConfig = {
  isDouble: 0,
  isFilterPeriod: 'N',
  minTesters: DEFAULT_MIN_TESTERS,
  numberTemplate: DEFAULT_TEMPLATE,
}
const configKeys = [
  'isDouble',
  'isFilterPeriod',
  'minTesters',
  'numberTemplate',
  'warningReason',
  'enrolFields',
] as const satisfies readonly (keyof ProjectConfig)[]
/** A study at one site has one center from the start, because every subject belongs to a center. */
const SINGLE_CENTER = { name: '本中心', code: '01' }

export async function listProjects(context: CallContext<'project.list'>): Promise<Page<ProjectRow>> {
  const { services, actor, query } = context
  const name = query.projectName ?? null
  return withTransaction(services.pool, (transaction) =>
    readPage(query, (window) => store.listProjects(transaction, actor, { name, ...window })),
  )
}

export async function readProject(context: CallContext<'project.detail'>): Promise<ProjectRow> {
  const { services, actor, query } = context
  return withTransaction(services.pool, (transaction) => rowFor(transaction, actor, query.projectId))
}

export async function readConfig(context: CallContext<'project.confDetail'>): Promise<ProjectConfig> {
  const { services, actor, query } = context
  return withTransaction(
    services.pool,
    async (transaction) => (await rowFor(transaction, actor, query.projectId)).config,
  )
}

/** Creates a project in status `start`. `isDemo` marks the demo's own project. */
export async function createProject(context: Write<'project.save'>, isDemo = false): Promise<store.ToldProject> {
  const { actor, body } = context
  const id = newId()
  return runOnce(context, { projectId: id, entityId: id }, async (transaction, stampAs) => {
    const scopeCode = body.projectScopeCode ?? 'areamultiple'
    const project = {
      id,
      name: body.projectName,
      icon: body.projectIcon ?? null,
      scopeCode,
      config: { ...DEFAULT_CONFIG, minTesters: body.minTesters ?? DEFAULT_CONFIG.minTesters },
    }
    await store.insertProject(transaction, { ...project, isDemo, createdBy: actor.userId })
    const changes: NewChange[] = [changeOf(id)]
    const audit: NewAuditRow[] = [{ action: 'project.create', new: { ...project } }]
    if (scopeCode === 'areasingle') {
      const center = { id: newId(), projectId: id, ...SINGLE_CENTER, planEnrolls: null, numberTemplate: null }
      await store.insertCenter(transaction, center)
      changes.push({ kind: 'center', rowId: center.id, centerId: null, pass: null })
      audit.push({
        action: 'center.create',
        centerId: center.id,
        new: { ...SINGLE_CENTER, id: center.id, planEnrolls: null },
      })
    }
    const committed = await commitProject(transaction, {
      projectId: id,
      statuses: ['start'],
      stamp: stampAs('ADMIN'),
      audit,
      changes,
    })
    return { committed, result: await rowFor(transaction, actor, id) }
  })
}

export async function updateProject(context: Write<'project.update'>): Promise<store.ToldProject> {
  const { actor, body } = context
  return runOnce(context, { projectId: body.id, entityId: body.id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, body.id)
    requirePermission(member, 'project_edit')
    await store.lockProject(transaction, body.id)
    const old = await rowFor(transaction, actor, body.id)
    const next = {
      id: body.id,
      name: body.projectName,
      icon: body.projectIcon === undefined ? old.projectIcon : body.projectIcon,
      scopeCode: body.projectScopeCode ?? old.projectScopeCode,
    }
    await store.updateProject(transaction, next)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [
        {
          action: 'project.update',
          old: { name: old.projectName, icon: old.projectIcon, scopeCode: old.projectScopeCode },
          new: { name: next.name, icon: next.icon, scopeCode: next.scopeCode },
        },
      ],
      changes: [changeOf(body.id)],
    })
    return { committed, result: await rowFor(transaction, actor, body.id) }
  })
}

/** Changes the named settings. The trail lists those whose value changes; if none does, it lists no change. */
export async function updateConfig(context: Write<'project.confUpdate'>): Promise<ProjectConfig> {
  const { actor, body } = context
  const { projectId, ...said } = body
  return runOnce(context, { projectId, entityId: projectId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'project_edit')
    await store.lockProject(transaction, projectId)
    const old = (await rowFor(transaction, actor, projectId)).config
    const config: ProjectConfig = {
      isDouble: said.isDouble ?? old.isDouble,
      isFilterPeriod: said.isFilterPeriod ?? old.isFilterPeriod,
      minTesters: said.minTesters ?? old.minTesters,
      numberTemplate: said.numberTemplate ?? old.numberTemplate,
      ...setting('warningReason', said.warningReason ?? old.warningReason),
      ...setting('enrolFields', said.enrolFields ?? old.enrolFields),
    }
    const changed = configKeys.filter((key) => JSON.stringify(config[key]) !== JSON.stringify(old[key]))
    // Every booking needs an audit row. One without a change tells what was requested, and that it was so already.
    const told = changed.length > 0 ? changed : configKeys.filter((key) => said[key] !== undefined)
    requireTemplate(config.numberTemplate)
    const before = await numberingsOfProject(transaction, projectId)
    await store.updateConfig(transaction, projectId, config)
    if (config.isDouble !== old.isDouble) await readyAgain(transaction, projectId)
    await changeTemplates(transaction, projectId, before)
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [{ action: 'project.configure', old: only(old, told), new: only(config, told) }],
      changes: changed.length === 0 ? [] : [changeOf(projectId)],
    })
    return { committed, result: config }
  })
}

/** A setting that is given; nothing where it is not. */
function setting<Key extends keyof ProjectConfig>(
  key: Key,
  value: ProjectConfig[Key] | undefined,
): Partial<Pick<ProjectConfig, Key>> {
  return value === undefined ? {} : ({ [key]: value } as Pick<ProjectConfig, Key>)
}

function only(config: ProjectConfig, keys: readonly (keyof ProjectConfig)[]): Partial<ProjectConfig> {
  return Object.fromEntries(keys.map((key) => [key, config[key]]))
}

/**
 * Changes the status. When a paused project goes on, held operations are applied; when it ends, they go to the inbox.
 */
export async function changeStatus(context: Write<'project.changeStatus'>): Promise<ProjectRow> {
  const row = await moveTo(context)
  if (row.projectStatus === 'process' || row.projectStatus === 'close') await applyHeldOrLog(context.services, row.id)
  return row
}

/**
 * The status stays changed even if this fails. Operations that could not be applied now are taken up at the next
 * start, or at the next try.
 */
async function applyHeldOrLog(services: Services, projectId: string): Promise<void> {
  try {
    await applyHeld(services, projectId)
  } catch (error) {
    services.log.error({ error, projectId }, 'held operations were not applied')
  }
}

async function moveTo(context: Write<'project.changeStatus'>): Promise<store.ToldProject> {
  const { actor, query } = context
  const { projectId, status: to } = query
  return runOnce(context, { projectId, entityId: projectId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'project_toggle_status')
    const from = member.projectStatus
    if (!mayChangeStatus(from, to)) throw fail('transition_refused')
    if (!(await store.updateStatus(transaction, projectId, from, to))) throw fail('revision_changed')
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: [to],
      audit: [{ action: 'project.status', old: from, new: to }],
      changes: [changeOf(projectId)],
    })
    return { committed, result: await rowFor(transaction, actor, projectId) }
  })
}

/**
 * Removes projects that have no patient and no waiting work, all or none. They stay in the database, and nobody sees
 * them.
 */
export async function removeProjects(context: Write<'project.remove'>): Promise<boolean> {
  const { actor, query } = context
  const ids = readIds(query.projectIds)
  const [first] = ids ?? []
  if (ids === null || first === undefined) throw fail('invalid', { fields: [{ path: 'projectIds', code: 'id' }] })
  return runOnce(context, { projectId: first, entityId: first }, async (transaction, stampAs) => {
    let committed: Committed | null = null
    for (const projectId of ids) {
      const member = await membership(transaction, actor, projectId)
      requirePermission(member, 'project_del')
      // From here on no new work can come in between the check and the removal.
      await store.lockProject(transaction, projectId)
      if (await store.holdsWork(transaction, projectId)) throw fail('transition_refused')
      committed = await commitForMember(transaction, member, stampAs, {
        statuses: ['start', 'process', 'stop', 'close'],
        audit: [{ action: 'project.remove' }],
        changes: [changeOf(projectId)],
      })
      await store.markProjectDeleted(transaction, projectId)
    }
    if (committed === null) throw fail('not_found')
    return { committed, result: true }
  })
}

async function rowFor(transaction: Queryable, actor: Actor, projectId: string): Promise<store.ToldProject> {
  const row = await store.loadProjectRow(transaction, await membership(transaction, actor, projectId))
  if (row === null) throw fail('not_found')
  return row
}

function changeOf(projectId: string): NewChange {
  return { kind: 'project', rowId: projectId, centerId: null, pass: null }
}
