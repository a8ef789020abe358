import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { libraryParts } from '#core/design/library/libraryPage.ts'
import { filledText, id, instant, text } from '#core/wire/shapes.ts'

import { definitionInput } from './design.ts'

/**
 * Templates: pages and folders (visits) that were put aside to be used again, in any project of the organisation, and
 * the pages of the starter library. A template is a copy: nothing that is made from it follows it.
 */

const AREA = 'server/areas/template'

/** Most pages of a template, and longest text of all their options. */
export const MOST_TEMPLATE_PAGES = 100
export const LONGEST_TEMPLATE_TEXT = 3_000_000

/** What a template holds: a folder with its pages; of a page that one page in a folder that does not count. */
const templateFolder = definitionInput.def.shape.folders.def.element
export const templateKinds = ['page', 'folder'] as const

const summary = {
  /** Of the library `lib-…`. */
  id: z.union([id, z.string().check(z.regex(/^lib-[A-Z]{1,20}$/))]),
  source: z.enum(['library', 'own']),
  kind: z.enum(templateKinds),
  name: z.string(),
  /** In English, where it is in both languages. */
  nameEn: z.nullable(z.string()),
  remark: z.nullable(z.string()),
  remarkEn: z.nullable(z.string()),
  /** What a page of the library belongs to. */
  part: z.nullable(z.enum(libraryParts)),
  pages: z.int(),
  fields: z.int(),
  createdByName: z.nullable(z.string()),
  createdAt: z.nullable(instant),
  /** Whether the user may remove it. */
  mayRemove: z.boolean(),
}
const templateSummary = z.object(summary)
export type TemplateSummary = z.infer<typeof templateSummary>
const templateDetail = z.object({ ...summary, folder: templateFolder })
export type TemplateDetail = z.infer<typeof templateDetail>

export const templateCalls = [
  defineCall({
    id: 'template.list',
    area: 'template',
    method: 'GET',
    path: '/edc/template/list',
    summary:
      'Templates: the starter library, then those of the organisation, the newest first. For who designs forms in some project.',
    data: templateSummary,
    answer: 'tree',
    errors: ['forbidden'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'template.detail',
    area: 'template',
    method: 'GET',
    path: '/edc/template/:id/detail',
    summary: 'A template with its pages.',
    params: z.object({ id: summary.id }),
    data: templateDetail,
    errors: ['not_found', 'forbidden'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'template.save',
    area: 'template',
    method: 'POST',
    path: '/edc/template/save',
    summary: 'Puts a page or a folder of a project aside as a template.',
    body: z.object({
      projectId: id,
      kind: z.enum(templateKinds),
      name: filledText(200),
      remark: z.optional(z.nullable(text(1000))),
      folder: templateFolder,
    }),
    data: templateSummary,
    permission: 'design_edit',
    errors: ['invalid', 'forbidden', 'not_found', 'page_unreadable'],
    servedBy: AREA,
  }),
  defineCall({
    id: 'template.remove',
    area: 'template',
    method: 'POST',
    path: '/edc/template/remove',
    summary: 'Removes templates (ids, comma-separated): who made them may, and administrators.',
    query: z.object({ ids: text(4000) }),
    data: z.boolean(),
    errors: ['invalid', 'forbidden', 'not_found'],
    servedBy: AREA,
  }),
]
