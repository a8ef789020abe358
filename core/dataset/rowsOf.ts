import { entryKeys, subjectKeys } from './aboutColumns.ts'
import type { LeavingEntry, LeavingSubject, Told } from './aboutColumns.ts'
import type { DataSetDefinition } from './definition.ts'
import type { Pseudonym } from './deidentify.ts'
import type { DataSource, Selector, StudyPlace, SubjectEntry } from './source.ts'
import type { Row } from './table.ts'

/** Goes through subjects and their entries batch by batch, so that a table is never in memory as a whole. */

export interface Reading {
  readonly source: DataSource
  readonly places: readonly StudyPlace[]
  /** Null where data leave as they are. */
  readonly pseudonymOf: ((patientId: string) => Pseudonym) | null
}

/** A table that goes on to its next row without a reader waiting holds at most this many. */
const MOST_ROWS = 500

/** The keys of an entry's row. */
export function keysOfEntry(definition: DataSetDefinition): readonly Told<LeavingEntry>[] {
  const { language, deidentify } = definition
  const subject = subjectKeys(language, deidentify.on).map(({ variable, read }): Told<LeavingEntry> => ({
    variable,
    read: ({ who }) => read(who),
  }))
  return [...subject, ...entryKeys(language, definition)]
}

export function leavingSubjects(
  { pseudonymOf }: Pick<Reading, 'pseudonymOf'>,
  subjects: readonly LeavingSubject['subject'][],
): readonly LeavingSubject[] {
  return subjects.map((subject) => ({ subject, pseudonym: pseudonymOf?.(subject.id) ?? null }))
}

/** The rows that the selected entries make. */
export async function* rowsOfEntries(
  reading: Reading,
  selector: Selector,
  rowsOf: (entry: LeavingEntry) => readonly Row[],
): AsyncGenerator<readonly Row[]> {
  for await (const { subjects, entries } of batches(reading, selector, selector)) {
    const byId = new Map(subjects.map((who) => [who.subject.id, who]))
    const rows: Row[] = []
    for (const entry of entries) {
      const who = byId.get(entry.patientId)
      if (who === undefined) continue
      rows.push(...rowsOf({ who, entry, place: findPlace(reading.places, entry) }))
      if (rows.length >= MOST_ROWS) yield rows.splice(0)
    }
    if (rows.length > 0) yield rows
  }
}

/** Batches of subjects with their entries: of all subjects, or of those who have such an entry. */
export async function* batches(
  reading: Reading,
  having: Selector | null,
  selector: Selector,
): AsyncGenerator<{ readonly subjects: readonly LeavingSubject[]; readonly entries: readonly SubjectEntry[] }> {
  for await (const subjects of reading.source.subjects(having))
    yield {
      subjects: leavingSubjects(reading, subjects),
      entries: await reading.source.entries(subjects, selector),
    }
}

export function findPlace(
  places: readonly StudyPlace[],
  { folderId, pageId }: Pick<SubjectEntry, 'folderId' | 'pageId'>,
): StudyPlace | null {
  return (
    places.find((place) => place.folderId === folderId && place.pageId === pageId) ??
    places.find((place) => place.folderId === folderId) ??
    null
  )
}
