import type { EntryData } from '#core/sync/entryData.ts'
import type { RetiredValue } from '#core/sync/retired.ts'
import type { RollUp } from '#core/review/verification.ts'

import type { VersionedModels } from './pageColumns.ts'

/** What tables are made of: a study's pages, its subjects and their entries, all of one instant. */

export interface StudyPage extends VersionedModels {
  readonly name: string
  readonly nameEn: string | null
  readonly code: string
  /** Keys of the fields that identify a person, in any definition of the page. */
  readonly masked: ReadonlySet<string>
}

/** A page in a visit, in the order of the casebook. */
export interface StudyPlace {
  readonly folderId: string
  readonly folderCode: string
  readonly folderName: string
  readonly folderNameEn: string | null
  readonly pageId: string
}

export interface StudyPages {
  readonly pages: readonly StudyPage[]
  readonly places: readonly StudyPlace[]
}

/** A subject. Facts that identify a person are null for a reader who may not see them. */
export interface Subject {
  readonly id: string
  readonly no: string | null
  readonly mark: string
  readonly centerCode: string
  readonly centerName: string
  readonly sex: 'F' | 'M' | null
  readonly enrolledOn: string | null
  readonly initials: string | null
  readonly name: string | null
  readonly mobile: string | null
  readonly email: string | null
  readonly birthDate: string | null
}

/** The page of a subject in a visit. Times are instants. */
export interface SubjectEntry extends EntryData {
  readonly patientId: string
  readonly folderId: string
  /** Which one of the visit's, and of the page's in it, from 1. */
  readonly visitNo: number
  readonly pageId: string
  readonly pageNo: number
  readonly pass: 1 | 2
  readonly versionNo: number
  readonly status: 'init' | 'process' | 'other'
  readonly control: 'open' | 'frozen' | 'locked'
  readonly submittedAt: string | null
  readonly submittedBy: string | null
  readonly savedAt: string
  readonly savedBy: string
  readonly queriesOpen: number
  readonly queriesAnswered: number
  readonly sdv: RollUp
  readonly dmr: RollUp
  readonly conflicts: number
  /** Addresses of what rules hide. */
  readonly hidden: readonly string[]
  readonly retired: Readonly<Record<string, RetiredValue>>
}

/** How often a page in a visit comes at most for one subject and pass, and how many rows its tables have at most. */
export interface Extent {
  readonly folderId: string
  readonly pageId: string
  readonly pass: 1 | 2
  readonly repeats: number
  readonly rows: Readonly<Record<string, number>>
}

/** Which entries are read: those of a page, those with rows in one of its tables, or those with retired values. */
export interface Selector {
  readonly pageId: string | null
  readonly table?: string
  readonly retired?: true
}

/** Reads in batches; the same whenever it is asked. */
export interface DataSource {
  /** Subjects in the order of the tables: all, or those who have such an entry. */
  subjects(having: Selector | null): AsyncIterable<readonly Subject[]>
  /** Such entries of subjects, in the order of the tables. */
  entries(subjects: readonly Subject[], selector: Selector): Promise<readonly SubjectEntry[]>
  extents(): Promise<readonly Extent[]>
}
