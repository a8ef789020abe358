import type { Language } from '#core/language.ts'

import type { DataSetDefinition } from './definition.ts'
import { shiftDate } from './deidentify.ts'
import type { Pseudonym } from './deidentify.ts'
import type { StudyPlace, Subject, SubjectEntry } from './source.ts'
import type { CellValue, CodeLabel, Variable, VariableRole, VariableType } from './table.ts'
import { codeLabels, dataWord } from './words.ts'
import type { DataWord } from './words.ts'

/** What identifies a row, and what is told of an entry: variables that come from no field. */

/** A subject as they leave: under their number, or under a pseudonym. */
export interface LeavingSubject {
  readonly subject: Subject
  /** Null where data leave as they are. */
  readonly pseudonym: Pseudonym | null
}

/** A row of the subject `who`: of an entry, or of a row of a table in it. */
export interface LeavingEntry {
  readonly who: LeavingSubject
  readonly entry: SubjectEntry
  readonly place: StudyPlace | null
}

export interface Told<From> {
  readonly variable: Variable
  read(from: From): CellValue
}

/** Milliseconds by which the study's clock is ahead of UTC: China has one zone, and no summer time since 1991. */
const STUDY_OFFSET_MS = 8 * 3_600_000

interface Kind {
  readonly type?: VariableType
  readonly codes?: readonly CodeLabel[]
  readonly role?: VariableRole
}

/** A variable that comes from no field. */
export function toldVariable(name: string, word: DataWord, language: Language, kind: Kind = {}): Variable {
  const { type = 'text', codes = [], role = 'about' } = kind
  return {
    name,
    label: dataWord(word, language),
    type,
    decimals: type === 'number' ? 0 : null,
    unit: null,
    codes,
    role,
    field: null,
  }
}

function defineTold<From>(word: DataWord, language: Language, kind: Kind, read: (from: From) => CellValue): Told<From> {
  return { variable: toldVariable(word, word, language, kind), read }
}

/** What identifies a subject in every table. */
export function subjectKeys(language: Language, isDeidentified: boolean): readonly Told<LeavingSubject>[] {
  const key = { role: 'key' } as const
  return [
    isDeidentified
      ? defineTold('subject_key', language, key, ({ pseudonym }) => pseudonym?.subject ?? null)
      : // Before a number was given, a subject has a mark only.
        defineTold('subject_id', language, key, ({ subject }) => subject.no ?? subject.mark),
    defineTold('center', language, key, ({ subject }) => subject.centerCode),
  ]
}

/** What is told of a subject. What identifies a person is there only for who may see it, and leaves as it is. */
export function subjectFacts(
  language: Language,
  { isDeidentified, isIdentifying }: { readonly isDeidentified: boolean; readonly isIdentifying: boolean },
): readonly Told<LeavingSubject>[] {
  const fact = (word: DataWord, read: (subject: Subject) => string | null) =>
    defineTold<LeavingSubject>(word, language, {}, ({ subject }) => read(subject))
  return [
    ...(isDeidentified ? [] : [fact('center_name', ({ centerName }) => centerName), fact('mark', ({ mark }) => mark)]),
    defineTold<LeavingSubject>('sex', language, { codes: codeLabels('sex', language) }, ({ subject }) => subject.sex),
    defineTold<LeavingSubject>('enrolled_on', language, { type: 'date' }, ({ subject, pseudonym }) =>
      shiftTime(subject.enrolledOn, pseudonym),
    ),
    ...(isDeidentified || !isIdentifying
      ? []
      : [
          fact('initials', ({ initials }) => initials),
          fact('name', ({ name }) => name),
          fact('mobile', ({ mobile }) => mobile),
          fact('email', ({ email }) => email),
          fact('birth_date', ({ birthDate }) => birthDate),
        ]),
  ]
}

/** What identifies an entry besides its subject. */
export function entryKeys(
  language: Language,
  { passes }: Pick<DataSetDefinition, 'passes'>,
): readonly Told<LeavingEntry>[] {
  const key = { role: 'key' } as const
  const number = { role: 'key', type: 'number' } as const
  return [
    defineTold('visit', language, key, ({ place }) => place?.folderCode ?? null),
    defineTold('visit_name', language, {}, ({ place }) =>
      place === null ? null : language === 'en' ? (place.folderNameEn ?? place.folderName) : place.folderName,
    ),
    defineTold('visit_no', language, number, ({ entry }) => entry.visitNo),
    defineTold('page_no', language, number, ({ entry }) => entry.pageNo),
    ...(passes === 'both' ? [defineTold<LeavingEntry>('pass', language, number, ({ entry }) => entry.pass)] : []),
  ]
}

/** What is told of an entry, as the definition asks. Names of people stay behind where data are de-identified. */
export function entryFacts({
  about,
  language,
  deidentify,
}: Pick<DataSetDefinition, 'about' | 'language' | 'deidentify'>): readonly Told<LeavingEntry>[] {
  const number = { type: 'number' } as const
  const time = { type: 'datetime' } as const
  const review = { codes: codeLabels('review', language) }
  const by = (word: DataWord, read: (entry: SubjectEntry) => string | null) =>
    deidentify.on ? [] : [defineTold<LeavingEntry>(word, language, {}, ({ entry }) => read(entry))]
  const at = (word: DataWord, read: (entry: SubjectEntry) => string | null) =>
    defineTold<LeavingEntry>(word, language, time, ({ entry, who }) => shiftTime(studyTime(read(entry)), who.pseudonym))
  const count = (word: DataWord, read: (entry: SubjectEntry) => number) =>
    defineTold<LeavingEntry>(word, language, number, ({ entry }) => read(entry))
  const parts: Readonly<Record<DataSetDefinition['about'][number], readonly Told<LeavingEntry>[]>> = {
    version: [count('version', ({ versionNo }) => versionNo)],
    status: [
      defineTold('status', language, { codes: codeLabels('status', language) }, ({ entry }) => entry.status),
      defineTold('control', language, { codes: codeLabels('control', language) }, ({ entry }) => entry.control),
    ],
    submitted: [at('submitted_at', (entry) => entry.submittedAt), ...by('submitted_by', (entry) => entry.submittedBy)],
    saved: [at('saved_at', (entry) => entry.savedAt), ...by('saved_by', (entry) => entry.savedBy)],
    queries: [
      count('queries_open', ({ queriesOpen }) => queriesOpen),
      count('queries_answered', ({ queriesAnswered }) => queriesAnswered),
    ],
    review: [
      defineTold('sdv', language, review, ({ entry }) => entry.sdv),
      defineTold('dmr', language, review, ({ entry }) => entry.dmr),
    ],
    conflicts: [count('conflicts_open', ({ conflicts }) => conflicts)],
  }
  return about.flatMap((part) => parts[part])
}

/** A date or time as it leaves: earlier by the subject's constant where they leave under a pseudonym. */
function shiftTime(text: string | null, pseudonym: Pseudonym | null): string | null {
  return text === null || pseudonym === null ? text : shiftDate(text, pseudonym.shiftDays)
}

/** An instant on the study's clock, `yyyy-MM-dd HH:mm:ss`. */
export function studyTime(instant: string | null): string | null {
  if (instant === null) return null
  return new Date(Date.parse(instant) + STUDY_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}
