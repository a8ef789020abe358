import * as z from 'zod/mini'
import { entryId } from '#core/derivedIds.ts'
import { fileReference } from '#core/files/reference.ts'
import { itemContent } from '#core/sync/entryChange.ts'
import { id, instant, pass, prop, text } from '#core/wire/shapes.ts'

import { queryActs, queryStates } from './query.ts'

/** What a query is about, and what was said of it, as the wire and the tablets have it (docs/adr/0045-queries.md). */

/** The code under which a query is about a row of a table as a whole. */
export const WHOLE_ROW = '_row'

const repeat = z.string().check(z.regex(/^(0|[0-9a-f-]{36})$/))

/**
 * What a query is about, from the outside in: a patient, a visit of theirs, a page, a row (`code` is `WHOLE_ROW`) or a
 * field. What is further in is null. The page need not have been begun.
 */
export const queryPlace = z
  .object({
    patientId: id,
    folderId: z.nullable(id),
    folderRepeat: z.nullable(repeat),
    pageId: z.nullable(id),
    pageRepeat: z.nullable(repeat),
    parentEntryId: z.nullable(id),
    pass: z.nullable(pass),
    table: z.nullable(prop),
    rid: z.nullable(id),
    code: z.nullable(prop),
  })
  .check(z.refine(isWhole, 'place'))
export type QueryPlace = z.infer<typeof queryPlace>

export type QueryLevel = 'patient' | 'visit' | 'page' | 'row' | 'field'

interface Parts extends Readonly<Record<'folderId' | 'folderRepeat' | 'pageId' | 'pageRepeat', string | null>> {
  readonly parentEntryId: string | null
  readonly pass: 1 | 2 | null
  readonly table: string | null
  readonly rid: string | null
  readonly code: string | null
}

/** Nothing further in is named without what is around it. */
function isWhole({ folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass: of, table, rid, code }: Parts) {
  const [inVisit, onPage, inRow] = [folderId !== null, pageId !== null, table !== null]
  return (
    (folderRepeat !== null) === inVisit &&
    (pageRepeat !== null) === onPage &&
    (of !== null) === onPage &&
    (inVisit || !onPage) &&
    (onPage || (parentEntryId === null && code === null)) &&
    (rid !== null) === inRow &&
    (!inRow || code !== null) &&
    (code !== WHOLE_ROW || inRow)
  )
}

export function levelOf({ folderId, pageId, code }: Pick<QueryPlace, 'folderId' | 'pageId' | 'code'>): QueryLevel {
  if (code !== null) return code === WHOLE_ROW ? 'row' : 'field'
  return pageId !== null ? 'page' : folderId !== null ? 'visit' : 'patient'
}

/** The id of the entry whose page a query stands on; null for one about a visit or a patient. */
export function entryOfQuery({
  folderId,
  folderRepeat,
  pageId,
  pageRepeat,
  pass: of,
  ...place
}: QueryPlace): string | null {
  return folderId === null || folderRepeat === null || pageId === null || pageRepeat === null || of === null
    ? null
    : entryId({ ...place, folderId, folderRepeat, pageId, pageRepeat, pass: of })
}

/** How a site answers. */
export const answerCategories = ['corrected', 'confirmed', 'added', 'unobtainable', 'other'] as const
export type AnswerCategory = (typeof answerCategories)[number]

/** What has to be said with an act for others to understand it. These speak for themselves. */
export const WORDLESS: ReadonlySet<string> = new Set(['promote', 'close', 'assign'])

/**
 * What became of an act. `late`: an answer to a query that had ended. `overtaken`: somebody was faster, and it changed
 * nothing; it stays in the thread.
 */
export const queryEffects = ['applied', 'late', 'overtaken'] as const
export type QueryEffect = (typeof queryEffects)[number]

/**
 * A file of what was said, and where its content is. `expected`: it has not come yet. `refused`: it is not what it was
 * said to be, and was not kept.
 */
const turnFile = z.object({ ...fileReference.def.shape, state: z.enum(['expected', 'stored', 'refused']) })
export type TurnFile = z.infer<typeof turnFile>

/** One act in the thread, in the order in which the server took them in. The first one raises the query. */
export const queryTurn = z.object({
  /** Key of the operation; of what happens by itself, derived of the query and the cause. */
  key: id,
  act: z.enum(['raise', ...queryActs, 'passes', 'gone']),
  effect: z.enum(queryEffects),
  /** The query's state after it. */
  state: z.enum(queryStates),
  text: z.nullable(text(2000)),
  category: z.nullable(z.enum(answerCategories)),
  /** What the field held, as its author saw it or as the server took it in; null where it is about no field. */
  content: z.nullable(itemContent),
  /** Absent where there are none, and where they may not be seen. */
  files: z.exactOptional(z.array(turnFile)),
  /** Null where it happened by itself. */
  by: z.nullable(id),
  byName: z.string(),
  role: z.nullable(z.string()),
  /** To whom the query was given; null to everybody again. Absent in all acts but `assign`. */
  assignee: z.exactOptional(z.nullable(id)),
  assigneeName: z.exactOptional(z.nullable(z.string())),
  at: instant,
  receivedAt: instant,
})
export type QueryTurn = z.infer<typeof queryTurn>
