import { defaultPermissions } from '#core/access/permissions.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import type { QueryRights } from '#core/review/query.ts'
import type { FieldNames, PageNames } from '#core/form/definition/inLanguage.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { DELETED } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { ConflictRow, PageRow, VersionRow } from '#core/api/sync/rows.ts'

import type { DataContext } from './context.ts'
import {
  readTakenOperations,
  localMembers,
  localPatient,
  localProject,
  localVersions,
  openOperations,
  outboxRows,
} from './local.ts'
import { patientWith } from './overlay.ts'

/** Names of patients, pages and people, looked up once for each list. */
export class Names {
  readonly #context: DataContext
  readonly #more: readonly VersionRow[]
  readonly #patients = new Map<string, Promise<string>>()
  readonly #versions = new Map<string, Promise<VersionRow[]>>()
  readonly #pages = new Map<string, PageModel | null>()

  /** @param more versions that are not kept here but known from elsewhere */
  constructor(context: DataContext, more: readonly VersionRow[] = []) {
    this.#context = context
    this.#more = more
  }

  /** The subject number, or the unnumbered mark. Empty where the keys are somebody else's. */
  patient(patientId: string): Promise<string> {
    const known = this.#patients.get(patientId)
    if (known !== undefined) return known
    const label = this.#labelOf(patientId)
    this.#patients.set(patientId, label)
    return label
  }

  async #labelOf(patientId: string): Promise<string> {
    const context = this.#context
    const rows = (await outboxRows(context, patientId)).filter(({ call }) => call === 'patient.save')
    const unsent = [...(await readTakenOperations(context, patientId)), ...(await openOperations(context, rows))]
    const patient = patientWith(await localPatient(context, patientId), unsent)
    return patient === null ? '' : (patient.no ?? `#${patient.mark}`)
  }

  async page(projectId: string, target: EntryTarget | null): Promise<PageNames> {
    const row = target === null ? undefined : await this.#pageRow(projectId, target)
    return { pageName: row?.pageName ?? null, pageNameEn: row?.pageNameEn }
  }

  /**
   * What a field of a page is called. Nothing for a field that the definition does not have, and for a deletion. For a
   * field that a release removed: what it was called.
   */
  async field(
    projectId: string,
    target: EntryTarget,
    { formerVersionId = null, ...place }: Pick<ItemPlace, 'table' | 'code'> & Pick<ConflictRow, 'formerVersionId'>,
  ): Promise<FieldNames> {
    const row =
      place.code === DELETED && place.table === null
        ? undefined
        : await this.#pageRow(projectId, target, formerVersionId)
    if (row === undefined) return { fieldLabel: null }
    const known = this.#pages.get(row.option) ?? modelOf(row.option)
    this.#pages.set(row.option, known)
    return fieldNames(known, place)
  }

  async #pageRow(
    projectId: string,
    { folderId, pageId }: EntryTarget,
    versionId: string | null = null,
  ): Promise<PageRow | undefined> {
    const known = this.#versions.get(projectId) ?? localVersions(this.#context, projectId)
    this.#versions.set(projectId, known)
    for (const { id: version, folders } of [...(await known), ...this.#more]) {
      if (versionId !== null && version !== versionId) continue
      const page = folders.find(({ id }) => id === folderId)?.pages.find(({ id }) => id === pageId)
      if (page !== undefined) return page
    }
    return undefined
  }

  async author(projectId: string, userId: string): Promise<string> {
    const { user } = this.#context
    if (userId === user.userId) return user.realName
    const members = await localMembers(this.#context, projectId)
    return members.find((member) => member.userId === userId)?.realName ?? ''
  }

  /** What somebody may do with queries; who is no member here is an administrator of the platform. */
  async queryRights(projectId: string, userId: string): Promise<QueryRights> {
    const project = userId === this.#context.user.userId ? await localProject(this.#context, projectId) : null
    if (project !== null) return queryRightsOf(new Set(project.permissions))
    const members = await localMembers(this.#context, projectId)
    const role = members.find((member) => member.userId === userId)?.userRole ?? 'ADMIN'
    return queryRightsOf(new Set(defaultPermissions(role)))
  }
}

/** What a field is called on a page as it is defined. */
export function namesOn(option: string, place: Pick<ItemPlace, 'table' | 'code'>): FieldNames {
  return fieldNames(modelOf(option), place)
}

function fieldNames(page: PageModel | null, { table, code }: Pick<ItemPlace, 'table' | 'code'>): FieldNames {
  const outer = page?.byCode.get(table ?? code)
  const field = table === null || code === DELETED ? outer : outer?.children.find((child) => child.code === code)
  return { fieldLabel: field?.label ?? null, fieldLabelEn: field?.labelEn }
}

function modelOf(option: string): PageModel | null {
  const read = parsePage(option)
  return read.ok ? read.page : null
}
