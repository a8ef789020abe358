import * as z from 'zod/mini'
import type { DefinedFolder, DefinedPage, DefinitionError } from '#core/exchange/definition.ts'
import { FIELD_TYPES } from '#core/form/definition/column.ts'
import { isFieldCode, readPage } from '#core/form/definition/page.ts'
import { folderSchedule } from '#core/study/visits/visitPlan.ts'

/**
 * What a definition in a format of ours must be. Beyond what is named here a column may say what a stock designer says;
 * that is kept as it is.
 */

const code = z.string().check(z.refine(isFieldCode))
const name = z.string().check(z.minLength(1), z.maxLength(200))

const item = z.looseObject({
  label: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  get children() {
    return z.optional(z.array(item))
  },
})

const column = z.looseObject({
  prop: code,
  label: z.string(),
  type: z.enum([...FIELD_TYPES, 'title']),
  dicData: z.optional(z.array(item)),
  zl: z.optional(z.record(z.string(), z.unknown())),
  get children() {
    return z.optional(z.looseObject({ column: z.array(column) }))
  },
})

const page = z.strictObject({
  pageCode: code,
  pageName: name,
  pageNameEn: z.optional(name),
  repeatable: z.optional(z.boolean()),
  option: z.looseObject({
    column: z.array(column),
    group: z.optional(z.array(z.looseObject({ label: z.string(), prop: z.string(), column: z.array(column) }))),
  }),
})

const folder = z.strictObject({
  folderCode: code,
  folderName: name,
  folderNameEn: z.optional(name),
  pages: z.array(code).check(z.maxLength(500)),
  schedule: z.optional(folderSchedule),
  sourceOid: z.optional(z.string()),
})

const study = z.strictObject({
  pages: z.array(page).check(z.maxLength(500)),
  folders: z.array(folder).check(z.maxLength(500)),
})

export interface Study {
  readonly pages: readonly DefinedPage[]
  readonly folders: readonly DefinedFolder[]
}

export type StudyResult =
  | { readonly ok: true; readonly study: Study }
  | { readonly ok: false; readonly error: DefinitionError }

/** A value as a study, itself and not a copy; or where it is none. */
export function checkStudy(value: unknown): StudyResult {
  const result = study.safeParse(value)
  if (!result.success) return wrong(result.error.issues[0]?.path.map(String).join('.') ?? '')
  // What was checked is what is given: a copy would have its keys in another order.
  const checked = value as Study
  const codes = new Set<string>()
  for (const [at, { pageCode, option }] of checked.pages.entries()) {
    if (codes.has(pageCode)) return wrong(`pages.${at}.pageCode`)
    codes.add(pageCode)
    const read = readPage(option)
    if (!read.ok) return wrong(`pages.${at}.option${'path' in read.error ? `.${read.error.path}` : ''}`)
  }
  const folders = new Set<string>()
  for (const [at, { folderCode, pages }] of checked.folders.entries()) {
    if (folders.has(folderCode)) return wrong(`folders.${at}.folderCode`)
    folders.add(folderCode)
    if (new Set(pages).size < pages.length || pages.some((one) => !codes.has(one))) return wrong(`folders.${at}.pages`)
  }
  return { ok: true, study: checked }
}

function wrong(path: string): StudyResult {
  return { ok: false, error: { kind: 'wrong-shape', path } }
}
