import type { ClinicalStudy, ClinicalSubject, ClinicalTrailLine } from '#core/exchange/clinical/subject.ts'
import type { EntryRow, QueryRow, VisitRow } from '#core/api/sync/rows.ts'
import { wantedStudy } from '#core/dataset/tables.ts'
import { TRAIL_START, countEntriesTrail, readEntriesTrail } from '#server/areas/audit/ofEntries.ts'
import type { AuditPlace } from '#server/areas/audit/store.ts'
import { maySeeIdentity } from '#server/areas/dataset/rights.ts'
import type { Read } from '#server/areas/dataset/source.ts'
import { loadEntryRows } from '#server/areas/entry/reading/rows.ts'
import { loadQueryRows } from '#server/areas/query/rows.ts'
import { visitsOfPatients } from '#server/areas/visit/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { chosenEntries, chosenQueries, chosenSubjects, namedIn } from './chosen.ts'
import type { ChosenEntry, ChosenSubject } from './chosen.ts'
import { LeavingFields } from './fields.ts'
import { loadClinicalStudy } from './study.ts'
import type { NamedInCasebooks } from './study.ts'

/**
 * Casebooks as files of them need them: rows as the server has them, read and masked by the functions that read them
 * for screens, and without what does not leave. One batch of subjects is in memory, and the trail of one subject.
 */

/** Lines of the trail in one statement. */
const LINES = 1_000

/** What is in casebooks, counted. */
export interface CasebookCounts {
  subjects: number
  entries: number
  queries: number
  trailLines: number
}

export class Casebooks {
  readonly #connection: Queryable
  readonly #read: Read
  readonly #fields: LeavingFields
  /** Visits that have a page that is asked for; null for all. */
  readonly #folders: ReadonlySet<string> | null

  /** @throws Error where the definition is one of de-identified data: casebooks hold everything as it was entered */
  constructor(connection: Queryable, read: Read) {
    const { definition, study, member } = read
    if (definition.deidentify.on) throw new Error('casebooks cannot be de-identified')
    this.#connection = connection
    this.#read = read
    this.#fields = new LeavingFields(definition, study.pages, maySeeIdentity(member))
    const { places } = wantedStudy(study, { definition })
    this.#folders = definition.pages === null ? null : new Set(places.map(({ folderId }) => folderId))
  }

  get projectId(): string {
    return this.#read.member.projectId
  }

  /** Whether a field leaves: where it does not, its place is in no file that shows empty places. */
  leaves(pageId: string, table: string | null, code: string): boolean {
    return this.#fields.leaves(pageId, table, code)
  }

  /** The study around the casebooks, with whom and what they name. */
  async study(withTrail: boolean, createdAt: string): Promise<ClinicalStudy> {
    const named = { userIds: new Set<string>(), versionIds: new Set<string>(), centerIds: new Set<string>() }
    for await (const { subjects, entryIds, queryIds } of this.#chosen(withTrail)) {
      const { userIds, versionIds } = await namedIn(this.#connection, entryIds, queryIds, withTrail)
      for (const id of userIds) named.userIds.add(id)
      for (const id of versionIds) named.versionIds.add(id)
      for (const { centerId } of subjects) named.centerIds.add(centerId)
    }
    const of: NamedInCasebooks = named
    return loadClinicalStudy(this.#connection, { projectId: this.projectId, createdAt }, of)
  }

  /** Counts what would be in files. Lines of the trail are counted under the codes of their time. */
  async count(withTrail: boolean): Promise<CasebookCounts> {
    const counts: CasebookCounts = { subjects: 0, entries: 0, queries: 0, trailLines: 0 }
    for await (const { subjects, entries, entryIds, queryIds } of this.#chosen(withTrail)) {
      counts.subjects += subjects.length
      counts.entries += entries.filter(({ deleted }) => !deleted).length
      counts.queries += queryIds.length
      if (!withTrail) continue
      for (const { pageId, table, prop, lines } of await countEntriesTrail(
        this.#connection,
        this.#read.member,
        this.#trailOf(entryIds),
      ))
        if (this.#fields.countedLeaves(pageId, table, prop)) counts.trailLines += lines
    }
    return counts
  }

  /**
   * The casebooks, in the order of the tables.
   *
   * @param counts where it is counted what was given
   */
  async *subjects(withTrail: boolean, counts: CasebookCounts): AsyncGenerator<ClinicalSubject> {
    for await (const { subjects, entries, queryIds } of this.#chosen(withTrail)) {
      const { member } = this.#read
      const rows = new Map((await this.#entryRows(entries)).map((row): [string, EntryRow] => [row.id, row]))
      const queries = await loadQueryRows(this.#connection, member, queryIds)
      const visits = await visitsOfPatients(
        this.#connection,
        member,
        subjects.map(({ id }) => id),
      )
      const of = {
        entries: Map.groupBy(entries, ({ patientId }) => patientId),
        queries: Map.groupBy(queries, ({ patientId }) => patientId),
        visits: Map.groupBy(visits, ({ patientId }) => patientId),
      }
      await this.#read.onEntries?.(entries.length, { pageId: null })
      for (const subject of subjects) {
        const own = of.entries.get(subject.id) ?? []
        const one = this.#subjectOf(subject, {
          rows: own.flatMap(({ id }) => rows.get(id) ?? []),
          queries: of.queries.get(subject.id) ?? [],
          visits: of.visits.get(subject.id) ?? [],
          trail: withTrail ? await this.#trail(own.map(({ id }) => id)) : [],
        })
        counts.subjects += 1
        counts.entries += one.pages.filter(({ deleted }) => !deleted).length
        counts.queries += one.queries.length
        counts.trailLines += one.trail.length
        yield one
      }
    }
  }

  async *#chosen(withTrail: boolean) {
    for await (const subjects of chosenSubjects(this.#connection, this.#read)) {
      const entries = await chosenEntries(this.#connection, this.#read, subjects, withTrail)
      const queries = await chosenQueries(this.#connection, this.#read, subjects, withTrail)
      const queryIds = queries
        .filter(
          ({ pageId, table, code }) => pageId === null || code === null || this.#fields.leaves(pageId, table, code),
        )
        .map(({ id }) => id)
      // Nothing was read of the entries themselves; it is a time to look whether the run goes on.
      await this.#read.onEntries?.(0, { pageId: null })
      yield { subjects, entries, entryIds: entries.map(({ id }) => id), queryIds }
    }
  }

  async #entryRows(entries: readonly ChosenEntry[]): Promise<readonly EntryRow[]> {
    const { member } = this.#read
    const reader = { projectId: member.projectId, sensitive: maySeeIdentity(member) }
    return loadEntryRows(
      this.#connection,
      reader,
      entries.map(({ id }) => id),
    )
  }

  #subjectOf(
    { id, no, centerId }: ChosenSubject,
    of: {
      readonly rows: readonly EntryRow[]
      readonly queries: readonly QueryRow[]
      readonly visits: readonly VisitRow[]
      readonly trail: readonly ClinicalTrailLine[]
    },
  ): ClinicalSubject {
    return {
      key: no ?? id,
      centerId,
      visits: of.visits.filter(({ folderId }) => this.#folders === null || this.#folders.has(folderId)),
      pages: of.rows.map((row) => this.#fields.keepLeaving(row)),
      trail: of.trail,
      queries: of.queries.toSorted((one, other) => one.no - other.no),
    }
  }

  async #trail(entryIds: readonly string[]): Promise<readonly ClinicalTrailLine[]> {
    const { member } = this.#read
    const kept: ClinicalTrailLine[] = []
    let after: AuditPlace = TRAIL_START
    for (;;) {
      const lines = await readEntriesTrail(this.#connection, member, this.#trailOf(entryIds), { after, limit: LINES })
      kept.push(...lines.filter((line) => this.#fields.lineLeaves(line)).map(withoutContent))
      await this.#read.onEntries?.(0, { pageId: null })
      const last = lines.at(-1)
      if (last === undefined || lines.length < LINES) return kept
      after = last
    }
  }

  #trailOf(entryIds: readonly string[]) {
    return { entryIds, withGaps: this.#read.definition.passes === 'both' }
  }
}

/** This one line holds the whole content of a page, also of fields that stay behind; what it did the others tell. */
function withoutContent(line: ClinicalTrailLine): ClinicalTrailLine {
  return line.action === 'entry.empty' ? { ...line, oldValue: null, newValue: null } : line
}
