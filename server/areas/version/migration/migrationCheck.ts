import type { MigrationPlan, MigrationReport, PlanLine } from '#core/api/calls/migration.ts'
import { fail } from '#core/api/errors.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { proposedMappings } from '#core/design/renames.ts'
import { allPaths } from '#core/form/definition/choices.ts'
import type { Field } from '#core/form/definition/page.ts'
import { STEP, holdsWays, isAnsweredByChoice } from '#core/study/migration/choiceFate.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { NO_MAPPINGS } from '#core/study/migration/migrationMappings.ts'
import type { FieldPlan } from '#core/study/migration/migrationPlan.ts'
import { mappingProblems, planPage } from '#core/study/migration/migrationPlan.ts'
import type { Page } from '#core/wire/shapes.ts'
import { membership, passParameter, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { masksOf } from '#server/areas/entry/reading/pageMasks.ts'
import { entriesToForesee } from '#server/areas/entry/store.ts'
import type { EntryOfPatient } from '#server/areas/entry/store.ts'
import { moveEntry } from '#server/areas/entry/versions/migrate.ts'
import { pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import * as store from '#server/areas/version/store.ts'
import type { VersionRecord } from '#server/areas/version/store.ts'
import { versionEngine } from '#server/areas/entry/versions/versionEngine.ts'
import { pageIn } from '#server/areas/entry/queries/moveQueries.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'

import { pagePairs } from './migrationBegin.ts'
import { NOTHING_COUNTED, reportArchived, reportEntry, sum, withoutValues } from './migrationReport.ts'
import type { PagePart, ReportedNames } from './migrationReport.ts'
import { listPatients, patientsLeft } from './migrationStore.ts'
import { foreseeQueries } from './queriesForeseen.ts'
import type { Candidate, Moved } from './queriesForeseen.ts'

/**
 * Shows what a release would do, before it is made: the plan of its fields, and a dry run on the entered data.
 * Nothing is written.
 */

export async function readPlan(
  context: Pick<CallContext<'version.migrationPlan'>, 'services' | 'actor' | 'query' | 'body'>,
): Promise<MigrationPlan> {
  const { services, actor, query, body } = context
  return withTransaction(services.pool, async (transaction) => {
    const { version, from } = await candidate(transaction, actor, query.crfId)
    if (from === null) return { from: null, patients: 0, lines: [], archived: [], problems: [], proposed: NO_MAPPINGS }
    const mappings = body.mappings ?? NO_MAPPINGS
    const [before, after] = [
      await store.loadFolders(transaction, from.id),
      await store.loadFolders(transaction, version.id),
    ]
    const pairs = pagePairs(before, after)
    return {
      from: store.toSummary(from),
      patients: await patientsLeft(transaction, version.project_id, version.id),
      lines: [...pairs].flatMap(([pageId, pair]) =>
        linesOf(
          { pageId, pageName: pair.name, pageNameEn: pair.nameEn },
          null,
          planPage(pair.before, pair.after, ofPage(mappings, pageId)).fields,
        ),
      ),
      archived: archivedPages(before, after),
      problems: [...mappingProblems(mappings, pairs)],
      proposed: proposedMappings(pairs),
    }
  })
}

/** A page of the dry run: what would become of each patient's data. */
export async function checkMigration(
  context: Pick<CallContext<'version.migrationCheck'>, 'services' | 'actor' | 'query' | 'body'>,
): Promise<Page<MigrationReport>> {
  const { services, actor, query, body } = context
  return withTransaction(services.pool, async (transaction) => {
    const { version, from, member } = await candidate(transaction, actor, query.crfId)
    const mappings = body.mappings ?? NO_MAPPINGS
    const definitions =
      from === null
        ? null
        : {
            from,
            before: await store.loadFolders(transaction, from.id),
            after: await store.loadFolders(transaction, version.id),
          }
    return readPage(query, async (window) => {
      const { rows, total } = await listPatients(transaction, member, version.id, window)
      if (definitions === null) return { rows: [], total: 0 }
      const entries = Map.groupBy(
        await entriesToForesee(
          transaction,
          rows.map(({ id }) => id),
        ),
        ({ patientId }) => patientId,
      )
      const foresee = new DryRun(transaction, member, version, definitions, mappings)
      const later = await laterVersion(transaction, version, foresee)
      const queries = await foreseeQueries(
        transaction,
        later,
        rows.map(({ id }) => id),
        services.now(),
      )
      const reports: MigrationReport[] = []
      const pass = passParameter(member)
      for (const { id, name, deleted } of rows) {
        const parts: PagePart[] = []
        const moved: Moved[] = []
        for (const entry of entries.get(id) ?? []) {
          const { part, result, steps } = await foresee.entry(entry)
          parts.push(pass === null || entry.pass === pass ? part : withoutValues(part))
          if (result !== null) moved.push({ before: entry, stored: result, steps })
        }
        const { counts, items } = sum([...parts, await queries({ id, deleted }, moved)])
        reports.push({ patientId: id, patient: name, counts, items: [...items] })
      }
      return { rows: reports, total }
    })
  })
}

/** The version that is to be released, as queries follow their fields to it. */
async function laterVersion(
  transaction: Queryable,
  { id: versionId, version_no: versionNo, profile }: VersionRecord,
  foresee: DryRun,
): Promise<Candidate> {
  // It may still change, so its pages are read once for all that is foreseen.
  const engine = await versionEngine(transaction, { versionId, profile })
  return {
    versionId,
    versionNo,
    profile,
    engine,
    page: (place) => pageIn(engine, place),
    wasThere: (place) => Promise.resolve(foresee.wasThere(place)),
    steps: (fromId, place) => foresee.steps(fromId, place),
  }
}

/**
 * The version that is to be released, and the release before it.
 *
 * @throws ApiFailure transition_refused for a version that is already released
 */
async function candidate(
  transaction: Queryable,
  actor: CallContext<'version.migrationPlan'>['actor'],
  crfId: string,
): Promise<{ readonly version: VersionRecord; readonly from: VersionRecord | null; readonly member: Membership }> {
  const version = await store.findVersion(transaction, crfId)
  if (version === null) throw fail('not_found')
  const member = await membership(transaction, actor, version.project_id)
  requirePermission(member, 'project_crf_test_publish')
  if (version.profile === 'formal') throw fail('transition_refused')
  return { version, from: await store.newestVersion(transaction, version.project_id, ['formal']), member }
}

interface Definitions {
  readonly from: VersionRecord
  readonly before: readonly FolderRow[]
  readonly after: readonly FolderRow[]
}

/** The steps that a release would take, for the present data. */
class DryRun {
  readonly #plans = new Map<string, PageStep | null>()
  readonly #pairs: ReturnType<typeof pagePairs>
  readonly #transaction: Queryable
  readonly #member: Membership
  readonly #version: VersionRecord
  readonly #definitions: Definitions
  readonly #mappings: MigrationMappings
  readonly #masks: ReturnType<typeof masksOf>

  constructor(
    transaction: Queryable,
    member: Membership,
    version: VersionRecord,
    definitions: Definitions,
    mappings: MigrationMappings,
  ) {
    this.#transaction = transaction
    this.#member = member
    this.#version = version
    this.#definitions = definitions
    this.#mappings = mappings
    this.#masks = masksOf(transaction, version.project_id)
    this.#pairs = pagePairs(definitions.before, definitions.after)
  }

  /** The releases before, and the one that is to be. */
  async steps(fromId: string, place: Pick<EntryOfPatient, 'folderId' | 'pageId'>): Promise<readonly PageStep[]> {
    const { from } = this.#definitions
    const earlier = await pageSteps(this.#transaction, this.#version.project_id, fromId, from.id, place)
    const last = this.#step(place)
    return last === null ? earlier : [...earlier, last]
  }

  /** Whether the release before has a page. */
  wasThere(place: Pick<EntryOfPatient, 'folderId' | 'pageId'>): boolean {
    return nameOf(this.#definitions.before, place) !== null
  }

  /** What becomes of an entry; no result where its page is gone. */
  async entry(entry: EntryOfPatient & { readonly patientId: string }): Promise<{
    readonly part: PagePart
    readonly result: EntryOfPatient | null
    readonly steps: readonly PageStep[]
  }> {
    const { before, after } = this.#definitions
    const names = nameOf(after, entry) ?? nameOf(before, entry)
    if (nameOf(after, entry) === null) {
      const isArchived = nameOf(before, entry) !== null && names !== null
      const part = isArchived ? reportArchived(names, entry.values) : { counts: NOTHING_COUNTED, items: [] }
      return { part, result: null, steps: [] }
    }
    const steps = await this.steps(entry.versionId, entry)
    const place = {
      centerId: '',
      patientId: entry.patientId,
      entryId: entry.id,
      versionId: this.#version.id,
      pass: entry.pass,
    }
    const moved = moveEntry(entry, place, steps, { userId: this.#member.userId, at: '', opKey: null })
    const part = reportEntry(
      names ?? { folderName: '', pageName: '' },
      moved,
      steps,
      this.#member.sensitive ? null : await this.#masks(entry.pageId),
    )
    return { part, result: { ...entry, ...moved.entry }, steps }
  }

  #step({ pageId }: Pick<EntryOfPatient, 'pageId'>): PageStep | null {
    const known = this.#plans.get(pageId)
    if (known !== undefined) return known
    const { from } = this.#definitions
    const pair = this.#pairs.get(pageId)
    const step = {
      fromId: from.id,
      fromNo: from.version_no,
      toId: this.#version.id,
      toNo: this.#version.version_no,
      mappings: this.#mappings,
    }
    const made =
      pair === undefined ? null : { step, plan: planPage(pair.before, pair.after, ofPage(this.#mappings, pageId)) }
    this.#plans.set(pageId, made)
    return made
  }
}

function nameOf(
  folders: readonly FolderRow[],
  { folderId, pageId }: Pick<EntryOfPatient, 'folderId' | 'pageId'>,
): ReportedNames | null {
  const folder = folders.find(({ id }) => id === folderId)
  const page = folder?.pages.find(({ id }) => id === pageId)
  return folder === undefined || page === undefined
    ? null
    : { ...namesOf(folder), pageName: page.pageName, pageNameEn: page.pageNameEn ?? null }
}

function namesOf({ folderName, folderNameEn }: FolderRow): Pick<ReportedNames, 'folderName' | 'folderNameEn'> {
  return { folderName, folderNameEn: folderNameEn ?? null }
}

function ofPage({ fields, choices }: MigrationMappings, pageId: string): MigrationMappings {
  return {
    fields: fields.filter((one) => one.pageId === pageId),
    choices: choices.filter((one) => one.pageId === pageId),
  }
}

function archivedPages(before: readonly FolderRow[], after: readonly FolderRow[]): MigrationPlan['archived'] {
  const stays = new Set(after.flatMap((folder) => folder.pages.map((page) => `${folder.id}/${page.id}`)))
  return before.flatMap((folder) =>
    folder.pages.flatMap((page) =>
      stays.has(`${folder.id}/${page.id}`)
        ? []
        : [
            {
              folderId: folder.id,
              ...namesOf(folder),
              pageId: page.id,
              pageName: page.pageName,
              pageNameEn: page.pageNameEn ?? null,
            },
          ],
    ),
  )
}

function linesOf(
  page: Pick<PlanLine, 'pageId' | 'pageName' | 'pageNameEn'>,
  table: string | null,
  plans: readonly FieldPlan[],
): readonly PlanLine[] {
  return plans.flatMap((plan): readonly PlanLine[] => {
    const nameField = ({ code, label }: Field) => ({ code, label })
    const inBoth = (field: Field) => ({ ...nameField(field), labelEn: field.labelEn })
    if (plan.kind === 'new')
      return [{ ...page, table, ...inBoth(plan.to), kind: 'new', to: nameField(plan.to), choices: [], offered: [] }]
    if (plan.kind === 'retired')
      return [{ ...page, table, ...inBoth(plan.from), kind: 'retired', to: null, choices: [], offered: [] }]
    const own: PlanLine = {
      ...page,
      table,
      ...inBoth(plan.from),
      kind: plan.kind,
      to: nameField(plan.to),
      choices: plan.choices.map((one) => ({ ...one })),
      offered: offeredIn(plan.to),
    }
    return [own, ...linesOf(page, plan.from.code, plan.columns)]
  })
}

function offeredIn(field: Field): PlanLine['offered'] {
  if (!isAnsweredByChoice(field)) return []
  return Array.from(allPaths(field.choices), (path) => ({
    value: holdsWays(field) ? path.map(({ value }) => value).join(STEP) : (path.at(-1)?.value ?? ''),
    label: path.map(({ label }) => label).join(' / '),
  }))
}
