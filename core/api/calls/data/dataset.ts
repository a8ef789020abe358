import * as z from 'zod/mini'
import { FIELD_TYPES } from '#core/form/definition/column.ts'
import { condition } from '#core/dataset/conditions.ts'
import { dataSetDefinition } from '#core/dataset/definition.ts'
import { sdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import { runEnds, runStates } from '#core/dataset/runs.ts'
import { variableTypes } from '#core/dataset/table.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import { defineCall } from '#core/api/call.ts'
import { englishName } from '#core/api/englishName.ts'
import { filledText, hash, id, instant, paging, prop } from '#core/wire/shapes.ts'

/** Data sets and their runs: clinical data as they leave the system (docs/adr/0049-datasets.md). */

const DATASET = 'server/areas/dataset'

/** A definition that somebody has saved. */
export const dataSet = z.object({
  id,
  name: z.string(),
  /** Whether everybody with the right to export sees and runs it; its owner alone changes it. */
  shared: z.boolean(),
  definition: dataSetDefinition,
  isMine: z.boolean(),
  ownerName: z.string(),
  rev: z.int(),
  updatedAt: instant,
})
export type DataSet = z.infer<typeof dataSet>

const factField = z.object({
  table: z.nullable(prop),
  tableLabel: z.nullable(z.string()),
  code: prop,
  label: z.string(),
  labelEn: z.nullable(z.string()),
  type: z.enum(FIELD_TYPES),
  unit: z.nullable(z.string()),
  /** Whether it identifies a person in any version. */
  identifies: z.boolean(),
  /** Whether it is text that is left out unless somebody keeps it. */
  isText: z.boolean(),
  /** Whether it may be marked as an age. */
  isNumber: z.boolean(),
})
export type FactField = z.infer<typeof factField>

/** What a definition can choose from, of what the reader may see. */
const dataSetFacts = z.object({
  pages: z.array(
    z.object({
      pageId: id,
      code: z.string(),
      name: z.string(),
      nameEn: englishName,
      folders: z.array(z.object({ name: z.string(), nameEn: englishName })),
      fields: z.array(factField),
    }),
  ),
  centers: z.array(z.object({ id, code: z.string(), name: z.string(), subjects: z.int() })),
  versions: z.array(z.object({ id, no: z.int() })),
  /** Kept searches that find subjects by what identifies nobody. */
  searches: z.array(z.object({ id, name: z.string(), condition })),
  /** Whether data may leave without being de-identified. */
  mayIdentify: z.boolean(),
  /** Whether fields that identify may leave then. */
  maySeeIdentity: z.boolean(),
  mayReadBothPasses: z.boolean(),
  /** Whether the trail of what is taken out may leave with it. */
  mayReadTrail: z.boolean(),
})
export type DataSetFacts = z.infer<typeof dataSetFacts>

/** A cell of a table as it leaves. */
export const dataCell = z.nullable(
  z.union([z.string(), z.number(), z.object({ m: z.enum(MISSING_CODES), reason: z.string() })]),
)

const leftField = z.object({
  pageId: id,
  table: z.nullable(z.string()),
  code: z.string(),
  label: z.string(),
  why: z.enum(['identifier', 'text', 'file']),
})

/** What a run would make: its first rows as they would leave, and how much it is. */
export const dataSetPreview = z.object({
  subjects: z.int(),
  entries: z.int(),
  /** Conflicts of those entries about which nobody has decided. */
  conflicts: z.int(),
  /** What casebooks would hold beside those entries; null where no format of casebooks is asked for. */
  casebooks: z.nullable(
    z.object({
      queries: z.int(),
      /** Lines of the trail; null where no format has them. */
      trailLines: z.nullable(z.int()),
    }),
  ),
  /**
   * Null where the flat shape would have more variables than a program can work with; none where no format of tables is
   * asked for.
   */
  tables: z.nullable(
    z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        variables: z.array(
          z.object({ name: z.string(), label: z.string(), type: z.enum(variableTypes), unit: z.nullable(z.string()) }),
        ),
        /** Variables of the table; `variables` has the first of them only. */
        variableCount: z.int(),
        rows: z.array(z.array(dataCell)),
      }),
    ),
  ),
  left: z.array(leftField),
  /** Groups of subjects of one center and sex that are so small that a person may be recognised. */
  small: z.array(z.object({ center: z.string(), sex: z.nullable(z.enum(['F', 'M'])), subjects: z.int() })),
})
export type DataSetPreview = z.infer<typeof dataSetPreview>

/** A run, as it was asked for, and what became of it. */
export const dataSetRun = z.object({
  id,
  setId: z.nullable(id),
  name: z.string(),
  definition: dataSetDefinition,
  /** Whether data leave as they are. */
  isIdentified: z.boolean(),
  purpose: z.string(),
  /** Why and on what ground the data go abroad; null where they stay. */
  crossBorder: z.nullable(z.string()),
  state: z.enum(runStates),
  /** Why it failed; else null. */
  why: z.nullable(z.enum(runEnds)),
  askedByName: z.string(),
  isMine: z.boolean(),
  askedAt: instant,
  /** Who approved or refused it, and when. */
  decidedByName: z.nullable(z.string()),
  decidedAt: z.nullable(instant),
  decisionNote: z.nullable(z.string()),
  cancelledByName: z.nullable(z.string()),
  /** How far it is, in entries read. */
  done: z.int(),
  total: z.int(),
  endedAt: z.nullable(instant),
  /** The place in the project's trail up to which all changes are in it. */
  seq: z.nullable(z.int()),
  subjects: z.nullable(z.int()),
  tables: z.array(z.object({ name: z.string(), rows: z.int() })),
  hash: z.nullable(hash),
  bytes: z.nullable(z.int()),
  expiresAt: z.nullable(instant),
  downloads: z.int(),
  mayDecide: z.boolean(),
  mayCancel: z.boolean(),
  mayDownload: z.boolean(),
})
export type DataSetRun = z.infer<typeof dataSetRun>

const READ = ['not_found', 'forbidden'] as const
const WRITE = [...READ, 'invalid', 'project_stopped', 'project_closed', 'key_reused'] as const

export const datasetCalls = [
  defineCall({
    id: 'dataset.list',
    area: 'dataset',
    method: 'GET',
    path: '/edc/data/dataset/list',
    summary: 'Data sets of the reader, and those that others share in the project.',
    query: z.object({ projectId: id }),
    data: dataSet,
    answer: 'tree',
    permission: 'export',
    errors: READ,
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.facts',
    area: 'dataset',
    method: 'GET',
    path: '/edc/data/dataset/facts',
    summary: 'Pages with their fields over all versions, centers and versions that a data set can choose from.',
    query: z.object({ projectId: id }),
    data: dataSetFacts,
    permission: 'export',
    errors: READ,
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.sdtm',
    area: 'dataset',
    method: 'GET',
    path: '/edc/data/dataset/sdtm',
    summary: 'A mapping of the project’s pages to tables of SDTM to begin with; null where there are no pages.',
    query: z.object({ projectId: id }),
    data: z.nullable(sdtmMapping),
    permission: 'export',
    errors: READ,
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.save',
    area: 'dataset',
    method: 'POST',
    path: '/edc/data/dataset/save',
    summary: 'Saves a data set of one’s own; `rev` is 0 for a new one.',
    body: z.object({
      projectId: id,
      id,
      rev: z.int().check(z.minimum(0), z.maximum(1_000_000)),
      name: filledText(100),
      shared: z.boolean(),
      definition: dataSetDefinition,
    }),
    data: dataSet,
    permission: 'export',
    errors: [...WRITE, 'revision_changed'],
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.remove',
    area: 'dataset',
    method: 'POST',
    path: '/edc/data/dataset/remove',
    summary: 'Removes a data set of one’s own; records of its runs stay.',
    body: z.object({ projectId: id, id }),
    data: z.literal(true),
    permission: 'export',
    errors: WRITE,
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.preview',
    area: 'dataset',
    method: 'POST',
    write: false,
    path: '/edc/data/dataset/preview',
    summary: 'The first rows of each table as they would leave, how much it is, and what is left out.',
    body: z.object({ projectId: id, definition: dataSetDefinition }),
    data: dataSetPreview,
    permission: 'export',
    errors: [...READ, 'invalid', 'too_much_work'],
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.run',
    area: 'dataset',
    method: 'POST',
    path: '/edc/data/dataset/run',
    summary:
      'Asks for a run. Where data leave as they are it waits until another person with export_identified approves it.',
    body: z.object({
      projectId: id,
      id,
      setId: z.nullable(id),
      name: filledText(100),
      definition: dataSetDefinition,
      purpose: filledText(500),
      /** Why and on what ground the data go abroad; null where they stay. */
      crossBorder: z.nullable(filledText(1000)),
    }),
    data: dataSetRun,
    permission: 'export',
    errors: [...WRITE, 'already_exists'],
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.runs',
    area: 'dataset',
    method: 'GET',
    path: '/edc/data/dataset/runs',
    summary: 'Runs, the newest first: one’s own, and for who decides about identifying runs all of them.',
    query: z.object({ projectId: id, ...paging }),
    data: dataSetRun,
    answer: 'page',
    permission: 'export',
    errors: READ,
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.decide',
    area: 'dataset',
    method: 'POST',
    path: '/edc/data/dataset/decide',
    summary: 'Approves or refuses a run in which data leave as they are; nobody decides about their own.',
    body: z.object({ projectId: id, id, decision: z.enum(['approve', 'refuse']), note: filledText(500) }),
    data: dataSetRun,
    permission: 'export_identified',
    errors: [...WRITE, 'transition_refused'],
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.cancel',
    area: 'dataset',
    method: 'POST',
    path: '/edc/data/dataset/cancel',
    summary: 'Cancels a run that waits or goes on.',
    body: z.object({ projectId: id, id }),
    data: dataSetRun,
    permission: 'export',
    errors: [...WRITE, 'transition_refused'],
    servedBy: DATASET,
  }),
  defineCall({
    id: 'dataset.download',
    area: 'dataset',
    method: 'GET',
    path: '/edc/data/dataset/download/:id',
    summary: 'The archive of a run, for who asked for it; every download is in the audit trail.',
    params: z.object({ id }),
    query: z.object({ projectId: id }),
    data: z.unknown(),
    answer: 'blob',
    permission: 'export',
    errors: READ,
    servedBy: DATASET,
  }),
] as const
