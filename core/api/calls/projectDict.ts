import * as z from 'zod/mini'
import { LONGEST_LABEL, MOST_ENTRIES } from '#core/study/projectDictionary.ts'
import { crfProfiles } from '#core/study/versionLife.ts'
import { defineCall } from '#core/api/call.ts'
import { englishName } from '#core/api/englishName.ts'
import { filledText, id, paging, text } from '#core/wire/shapes.ts'

/**
 * Dictionaries of a project (specification §7 Project dictionary): lists of choices that fields name by an address of
 * ours.
 */

const AREA = 'server/areas/projectDict'

/** Largest spreadsheet of entries, bytes. */
export const LARGEST_ENTRY_SHEET = 1_000_000

/** A dictionary or one of its entries. */
export type DictRow = {
  readonly id: string
  /** Null of a dictionary. */
  readonly parentId: string | null
  /** What fields name the dictionary by; of an entry that of its dictionary. */
  readonly code: string
  /** What is stored where the entry is chosen; -1 of a dictionary. */
  readonly dictKey: string
  readonly dictValue: string
  readonly labelEn: string | null
  readonly sort: number
  /** Nobody chooses it any more; what was chosen before keeps its label. */
  readonly isDisabled: boolean
  readonly hasChildren: boolean
  /** Of a dictionary: how many entries it has, on all levels. */
  readonly entryCount?: number | undefined
  /** Entries below. */
  readonly children?: DictRow[] | undefined
}

const dictRow: z.ZodMiniType<DictRow> = z.object({
  id,
  parentId: z.nullable(id),
  code: z.string(),
  dictKey: z.string(),
  dictValue: z.string(),
  labelEn: z.nullable(z.string()),
  sort: z.int(),
  isDisabled: z.boolean(),
  hasChildren: z.boolean(),
  entryCount: z.optional(z.int()),
  children: z.optional(z.array(z.lazy(() => dictRow))),
})

const label = filledText(LONGEST_LABEL)
const labelEn = z.optional(z.nullable(text(LONGEST_LABEL)))

const dictInput = z.object({
  /** Of what is changed; without it something is added. */
  id: z.optional(id),
  projectId: id,
  /** Below what it is added; without it a dictionary is. */
  parentId: z.optional(z.nullable(id)),
  /** Of a dictionary: it stays as it was given. */
  code: z.optional(text(100)),
  dictKey: z.optional(text(100)),
  dictValue: label,
  labelEn,
  sort: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
  isDisabled: z.optional(z.boolean()),
  /** Whoever changes a key that fields use has seen where. */
  confirmed: z.optional(z.boolean()),
})

/** The project: in the query, or in the header that every call of a project carries. */
const inProject = z.optional(id)
const dictQuery = z.object({ projectId: inProject, parentId: z.optional(id), code: z.optional(text(100)), ...paging })

/** A field that uses a dictionary. */
const dictUsage = z.object({
  versionId: id,
  versionNoDesc: z.string(),
  crfProfile: z.enum(crfProfiles),
  folderName: z.string(),
  folderNameEn: englishName,
  pageId: id,
  pageName: z.string(),
  pageNameEn: englishName,
  prop: z.string(),
  label: z.string(),
})
export type DictUsage = z.infer<typeof dictUsage>

/** The part of a form that holds a file. */
const formFile = z.custom<{ readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }>(
  (value) => typeof value === 'object' && value !== null && 'arrayBuffer' in value,
)

const WRITE = ['invalid', 'forbidden', 'not_found', 'project_closed'] as const
const templatePath = '/edc/project/dict/template/:parentDictId'

const dictReading = { query: dictQuery, data: dictRow, errors: ['not_found'], servedBy: AREA } as const

export const projectDictCalls = [
  defineCall({
    id: 'projectDict.submit',
    area: 'projectDict',
    method: 'POST',
    path: '/edc/project/dict/submit',
    summary:
      'Adds or changes a dictionary or an entry. A key that fields use is changed only when that was `confirmed`: drafts follow, released versions keep their copy.',
    body: dictInput,
    data: dictRow,
    permission: 'dict_edit',
    errors: [...WRITE, 'already_exists', 'in_use'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'projectDict.fastSubmit',
    area: 'projectDict',
    method: 'POST',
    path: '/edc/project/dict/fast/submit',
    summary: 'Adds a dictionary with its entries at once.',
    body: z.object({
      projectId: id,
      code: text(100),
      dictValue: label,
      labelEn,
      children: z
        .array(z.object({ dictKey: text(100), dictValue: text(LONGEST_LABEL), labelEn }))
        .check(z.maxLength(MOST_ENTRIES)),
    }),
    data: dictRow,
    permission: 'dict_edit',
    errors: [...WRITE, 'already_exists'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'projectDict.parentList',
    area: 'projectDict',
    method: 'GET',
    path: '/edc/project/dict/parent-list',
    summary: 'Dictionaries of a project, by code.',
    ...dictReading,
    answer: 'page',
  }),
  defineCall({
    id: 'projectDict.childList',
    area: 'projectDict',
    method: 'GET',
    path: '/edc/project/dict/child-list',
    summary: 'All entries of a dictionary, named by its id or its code, each with those below it.',
    ...dictReading,
    answer: 'tree',
  }),
  defineCall({
    id: 'projectDict.lazyList',
    area: 'projectDict',
    method: 'GET',
    path: '/edc/project/dict/lazy-list',
    summary: 'Entries right below a parent; without one the dictionaries.',
    ...dictReading,
    answer: 'tree',
  }),
  defineCall({
    id: 'projectDict.remove',
    area: 'projectDict',
    method: 'DELETE',
    path: '/edc/project/dict/remove',
    summary:
      'Removes dictionaries or entries (ids, comma-separated) with all below them. What fields use goes only when that was `confirmed`: drafts follow, released versions keep their copy.',
    query: z.object({ ids: text(4000), confirmed: z.optional(z.literal('true')) }),
    data: z.boolean(),
    permission: 'dict_edit',
    errors: [...WRITE, 'in_use'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'projectDict.usages',
    area: 'projectDict',
    method: 'GET',
    path: '/edc/project/dict/usages',
    summary: 'Fields that use a dictionary, of all versions.',
    query: z.object({ projectId: inProject, id }),
    data: dictUsage,
    answer: 'tree',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'projectDict.templateFile',
    area: 'projectDict',
    method: 'GET',
    path: templatePath,
    summary: 'The template of a dictionary: a spreadsheet with its entries, to be filled in.',
    params: z.object({ parentDictId: id }),
    answer: 'blob',
    errors: ['not_found'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'projectDict.template',
    area: 'projectDict',
    method: 'POST',
    path: templatePath,
    summary:
      'Fills a dictionary from a spreadsheet of the template: entries that it lacks are added, labels of those that it has are changed, none is removed.',
    params: z.object({ parentDictId: id }),
    body: z.object({ file: formFile }),
    upload: 'form',
    data: z.object({ added: z.int(), changed: z.int() }),
    permission: 'dict_edit',
    errors: [...WRITE, 'too_large', 'unsupported_media'],
    servedBy: AREA,
  }),
]
