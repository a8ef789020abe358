import * as z from 'zod/mini'
import { hash, id, instant, json, pass, text } from '#core/wire/shapes.ts'
import { visitOutcomes } from '#core/study/visits/schedule.ts'
import { DEFAULT_TEMPLATE } from '#core/study/patientNumber.ts'
import { ENROL_FIELDS } from '#core/study/enrolment.ts'
import { crfProfiles } from '#core/study/versionLife.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { choiceMapping, fieldMapping } from '#core/study/migration/migrationMappings.ts'
import { querySources, queryStates } from '#core/review/query.ts'
import { queryPlace, queryTurn } from '#core/review/queryThread.ts'
import { secondPassStates } from '#core/review/doubleEntry.ts'
import { folderSchedule } from '#core/study/visits/visitPlan.ts'
import { permissionCodes, projectRoles } from '#core/access/permissions.ts'
import { conflictChoice } from '#core/sync/conflict.ts'
import { confirmation } from '#core/sync/confirmation.ts'
import { changeReason, itemContent, missingReason } from '#core/sync/entryChange.ts'
import { entryProgress, entryStatus } from '#core/sync/entryMark.ts'
import { inboxReasons, queueableCalls } from '#core/sync/protocol/operation.ts'
import { retiredValue } from '#core/sync/retired.ts'

/**
 * The rows that a pull brings to a device and that online screens read, one shape for both, so that a caller cannot
 * tell whether it is offline (`src/data`).
 */

export const projectRow = z.object({
  id,
  projectName: z.string(),
  projectIcon: z.nullable(z.string()),
  projectStatus: z.enum(projectStatuses),
  projectStatusDesc: z.string(),
  /** `areamultiple` = multi-centre. */
  projectScopeCode: z.string(),
  config: z.object({
    isDouble: z.union([z.literal(0), z.literal(1)]),
    isFilterPeriod: z.enum(['Y', 'N']),
    /** How many testers must approve before a release. */
    minTesters: z.int(),
    /** How subjects are numbered. Absent from older servers. */
    numberTemplate: z._default(z.string(), DEFAULT_TEMPLATE),
    /** Whether a value is confirmed against a warning with a reason; it is where nothing is said. */
    warningReason: z.exactOptional(z.enum(['Y', 'N'])),
    /** What must be said of a patient before a number is spent; without it `DEFAULT_ENROL_FIELDS`. */
    enrolFields: z.exactOptional(z.array(z.enum(ENROL_FIELDS))),
  }),
  /** What the asking user may do here, and which pass of double entry they enter. Absent from older servers. */
  pass: z.optional(pass),
  role: z.enum(projectRoles),
  permissions: z.array(z.enum(permissionCodes)),
  /**
   * Codes of the functions that the project uses and the user may enter: the entries of its menu. Absent from older
   * servers.
   */
  functions: z.optional(z.array(z.string())),
})
export type ProjectRow = z.infer<typeof projectRow>

export const centerRow = z.object({
  id,
  centerName: z.string(),
  centerCode: z.string(),
  status: z.enum(['active', 'disabled']),
  groupSummary: z.nullable(z.string()),
  planEnrolls: z.nullable(z.int()),
  /**
   * Its number in the project, and how its subjects are numbered if not as the project says. Absent from older servers.
   */
  siteNo: z._default(z.nullable(z.int()), null),
  numberTemplate: z._default(z.nullable(z.string()), null),
})
export type CenterRow = z.infer<typeof centerRow>

/** A team member as everyone in the project sees them. */
export const memberRow = z.object({
  id,
  userId: id,
  realName: z.string(),
  userRole: z.enum(projectRoles),
  userRoleName: z.string(),
  status: z.enum(['active', 'pause']),
  lastLoginTime: z.nullable(instant),
})
export type MemberRow = z.infer<typeof memberRow>

/** A page as a version defines it. `option` is the Avue option's raw text. */
export const pageRow = z.object({
  id,
  pageName: z.string(),
  /** In English. Absent where the definition has one language, and from older servers. */
  pageNameEn: z.optional(z.string()),
  pageCode: z.string(),
  repeatable: z.boolean(),
  option: z.string(),
  sort: z.int(),
})
export type PageRow = z.infer<typeof pageRow>

export const folderRow = z.object({
  id,
  folderName: z.string(),
  /** As of a page. */
  folderNameEn: z.optional(z.string()),
  folderCode: z.string(),
  sort: z.int(),
  pages: z.array(pageRow),
  /** When its visit takes place. Absent where nothing is planned, as in imports and in versions of before. */
  schedule: z.optional(folderSchedule),
})
export type FolderRow = z.infer<typeof folderRow>

/** A CRF version as lists have it. */
export const versionSummary = z.object({
  id,
  versionNo: z.int(),
  versionNoDesc: z.string(),
  crfProfile: z.enum(crfProfiles),
  crfProfileDesc: z.string(),
  remark: z.nullable(z.string()),
  createdAt: instant,
})

/** A CRF version with all it defines. Folder and page ids are the same in all versions of a project. */
export const versionRow = z.object({
  ...versionSummary.def.shape,
  folders: z.array(folderRow),
  /**
   * Whether its release brings along what was entered under the one before (docs/adr/0028-migration.md). Absent where
   * it does not, and from older servers.
   */
  migrates: z.optional(z.boolean()),
  /**
   * Where it does: from which version, and what a person said of fields and choices that are called otherwise since.
   * Absent from older servers; those of choices from some that tell of fields.
   */
  broughtFrom: z.optional(
    z.object({ versionId: id, fields: z.array(fieldMapping), choices: z.optional(z.array(choiceMapping)) }),
  ),
})
export type VersionRow = z.infer<typeof versionRow>

/**
 * Whether what identifies a patient is left out of the row, for a reader who may not see it. Such a row and the whole
 * one are different things on a device, under different keys. Absent from older servers.
 */
const masked = z.optional(z.boolean())

/** What identifies a patient. Absent without `patient_sensitive`; sealed under its own key on a device. */
export const patientIdentity = z.object({
  name: z.nullable(text(100)),
  mobile: z.nullable(text(40)),
  email: z.nullable(text(200)),
  birthDate: z.nullable(text(10)),
})
export type PatientIdentity = z.infer<typeof patientIdentity>

export const patientRow = z.object({
  id,
  centerId: id,
  /** Subject number; null while visibly unnumbered. A number once shown never changes. */
  no: z.nullable(z.string()),
  /** Short mark shown until a number is there, such as `7F3A`. */
  mark: z.string(),
  initials: z.nullable(z.string()),
  sex: z.nullable(z.enum(['F', 'M'])),
  enrolledOn: z.nullable(z.string()),
  identity: z.nullable(patientIdentity),
  masked,
  /** Whether a second pass of double entry was opened for the patient, or merged. Absent from older servers. */
  secondPass: z.optional(z.enum(secondPassStates)),
  /** Members: experts that the patient is assigned to, and others who look after them. Absent from older servers. */
  expertIds: z.optional(z.array(id)),
  memIds: z.optional(z.array(id)),
  rev: z.int(),
  deleted: z.boolean(),
  createdBy: id,
  createdAt: instant,
  updatedAt: instant,
})
export type PatientRow = z.infer<typeof patientRow>

/** A change of an entry that needed a reason and came without one. */
const unexplainedPlace = z.object({
  table: z.nullable(z.string()),
  rid: z.nullable(z.string()),
  code: z.string(),
  by: id,
  byName: z.string(),
  at: instant,
})
export type UnexplainedPlace = z.infer<typeof unexplainedPlace>

export const entryRow = z.object({
  id,
  patientId: id,
  centerId: id,
  folderId: id,
  folderRepeat: z.string(),
  pageId: id,
  pageRepeat: z.string(),
  parentEntryId: z.nullable(id),
  pass,
  /** Version the entry was last written under. */
  versionId: id,
  status: entryStatus,
  /** Whether it was ever submitted: from then on a change needs a reason. Absent from older servers. */
  submittedOnce: z.optional(z.boolean()),
  /**
   * What was changed since without a reason, and by whom; a row of a table under the code `_row`. Absent from older
   * servers.
   */
  unexplained: z.optional(z.array(unexplainedPlace)),
  /** What was answered to warnings about its values, whether or not it still holds. Absent from older servers. */
  confirmed: z.optional(z.array(confirmation)),
  rev: z.int(),
  /** Values by field code; a table is an array of rows with `_rid` and `_ord`, deleted rows carry `_deleted: true`. */
  values: z.record(z.string(), json),
  missing: z.record(z.string(), missingReason),
  /** What no field of the version has a place for any more, by where it stood. Absent from older servers. */
  retired: z.optional(z.record(z.string(), retiredValue)),
  /** How full it is; absent from older servers, null where it was last written before this was counted. */
  progress: z.optional(z.nullable(entryProgress)),
  /** Codes of fields that rules hide, `table.rid.code` in a row of a table; their values are kept. */
  hidden: z.array(z.string()),
  /** SHA-256 of `entryDataText`. */
  dataHash: hash,
  deleted: z.boolean(),
  /** Open conflicts of this entry. */
  conflicts: z.int(),
  masked,
  updatedBy: id,
  updatedByName: z.string(),
  updatedAt: instant,
})
export type EntryRow = z.infer<typeof entryRow>

/**
 * What people said of a visit of a patient (core/study/visits/schedule.ts says what follows from it). There is a row
 * only once somebody has said something, or has made the visit.
 */
export const visitRow = z.object({
  /** Derived of patient, folder and repeat (`visitId`). */
  id,
  patientId: id,
  centerId: id,
  folderId: id,
  folderRepeat: z.string(),
  actualDate: z.nullable(z.string()),
  outcome: z.nullable(z.enum(visitOutcomes)),
  outcomeReason: z.nullable(z.string()),
  /** Why it took place before or after its window. */
  deviationReason: z.nullable(z.string()),
  removed: z.boolean(),
  applies: z.boolean(),
  order: z.nullable(z.int()),
  rev: z.int(),
  updatedAt: instant,
})
export type VisitRow = z.infer<typeof visitRow>

/** What somebody asks the site, and all that was said of it. Of a field that is masked only that there is a query. */
export const queryRow = z.object({
  id,
  /** Number in the project. */
  no: z.int(),
  patientId: id,
  centerId: id,
  place: queryPlace,
  /** Version under which it was raised. */
  versionId: z.nullable(id),
  source: z.enum(querySources),
  /** The check of the field that asks; null for what a person asks. */
  rule: z.nullable(z.string()),
  state: z.enum(queryStates),
  /** Whether it was ever open: a site is shown nothing else. */
  wasAsked: z.boolean(),
  isUrgent: z.boolean(),
  dueOn: z.nullable(z.string()),
  /** To whom it is given, as long as they are a member in force; null or absent: to everybody. */
  assigneeId: z.exactOptional(z.nullable(id)),
  assigneeName: z.exactOptional(z.nullable(z.string())),
  /** Since when the site has it. */
  askedAt: z.nullable(instant),
  /** Since when it is in its state. */
  stateAt: instant,
  /** What was said, in the order in which the server took it in; the first is the question. */
  thread: z.array(queryTurn),
  masked,
  updatedAt: instant,
})
export type QueryRow = z.infer<typeof queryRow>

/** Two different values for one item, waiting for a person. */
export const conflictRow = z.object({
  id,
  entryId: id,
  table: z.nullable(z.string()),
  rid: z.nullable(z.string()),
  code: z.string(),
  /**
   * Where a release removed its field, or what waits cannot stand in it any more: the last version that had a place for
   * it. By now the code may be another field's, which the conflict is not about.
   */
  formerVersionId: z.optional(z.nullable(id)),
  base: itemContent,
  server: itemContent,
  mine: itemContent,
  serverBy: id,
  serverByName: z.string(),
  /** When the value that stands was entered; null where that is not known. */
  serverAt: z.nullable(instant),
  mineBy: id,
  mineByName: z.string(),
  mineAt: instant,
  opKey: id,
  masked,
  state: z.enum(['open', 'resolved']),
  /** How it was decided; null while it is open. */
  resolution: z.nullable(
    z.object({
      choice: conflictChoice,
      to: itemContent,
      by: id,
      byName: z.string(),
      at: instant,
      reason: changeReason,
    }),
  ),
})
export type ConflictRow = z.infer<typeof conflictRow>

export const inboxStates = ['open', 'released', 'returned'] as const

/**
 * What became of an operation that was taken in for a decision: for its author, and for whoever decides in its center.
 * It tells nothing of what was entered.
 */
export const inboxRow = z.object({
  /** Key of the operation. */
  id,
  call: z.enum(queueableCalls),
  reason: z.enum(['project_stopped', ...inboxReasons]),
  state: z.enum(inboxStates),
  author: id,
  authorName: z.string(),
  entityId: id,
  centerId: z.nullable(id),
  actedAt: instant,
  receivedAt: instant,
  decidedByName: z.nullable(z.string()),
  decidedAt: z.nullable(instant),
  /** What the person who decided wrote. */
  note: z.nullable(z.string()),
})
export type InboxRow = z.infer<typeof inboxRow>

/** Every kind of row that a pull can bring, by name. */
export const rowKinds = {
  project: projectRow,
  center: centerRow,
  member: memberRow,
  version: versionRow,
  patient: patientRow,
  visit: visitRow,
  entry: entryRow,
  conflict: conflictRow,
  query: queryRow,
  inbox: inboxRow,
} as const
export type RowKind = keyof typeof rowKinds
export type RowOf<Kind extends RowKind> = z.infer<(typeof rowKinds)[Kind]>

/** Kinds that belong to what is common to a project; the others belong to a center and an entry pass. */
export const projectKinds: ReadonlySet<RowKind> = new Set(['project', 'center', 'member', 'version', 'inbox'])
