import type { VersionRow } from '#core/api/sync/rows.ts'
import { holdsData, isTable, parsePage } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { PlannedField } from '#core/review/reviewPlan.ts'
import type { Language } from '#core/language.ts'
import { labelOf } from '#src/form/words.ts'
import { namesIn } from '#src/ui/words/useNames.ts'

/** A field that a plan can call critical, with its words. */
export interface PlannableField extends PlannedField {
  readonly key: string
  /** With its table, where it is a column of one. */
  readonly label: string
}

export interface PlannablePage {
  readonly id: string
  readonly name: string
  readonly fields: readonly PlannableField[]
}

/** Names a field of a plan, in a set or a map. */
export function plannedKey({ pageId, table, code }: PlannedField): string {
  return `${pageId} ${table ?? ''}.${code}`
}

/** The pages of a version in their order, each once, with what a person enters there and every reviewer may see. */
export function plannablePages({ folders }: VersionRow, language: Language): readonly PlannablePage[] {
  const names = namesIn(language)
  const pages = new Map(folders.flatMap((folder) => folder.pages.map((page) => [page.id, page] as const)))
  return [...pages.values()].flatMap((page): readonly PlannablePage[] => {
    const read = parsePage(page.option)
    if (!read.ok) return []
    const fields = read.page.fields.flatMap((field) => fieldsOf(page.id, field, language))
    return fields.length === 0 ? [] : [{ id: page.id, name: names.page(page), fields }]
  })
}

function fieldsOf(pageId: string, field: Field, language: Language): readonly PlannableField[] {
  const label = labelOf(field, language)
  if (!isTable(field)) return isPlannable(field) ? [plannable({ pageId, table: null, code: field.code }, label)] : []
  return field.children
    .filter((child) => !isTable(child) && isPlannable(child))
    .map((child) =>
      plannable({ pageId, table: field.code, code: child.code }, `${label} · ${labelOf(child, language)}`),
    )
}

function plannable(field: PlannedField, label: string): PlannableField {
  return { ...field, key: plannedKey(field), label }
}

/** The fields of a plan after others were picked: those that no page has any more stay until somebody removes them. */
export function pickedFields(
  before: readonly PlannedField[],
  pages: readonly PlannablePage[],
  keys: ReadonlySet<string>,
): readonly PlannedField[] {
  const had = new Set(before.map(plannedKey))
  const added = pages.flatMap(({ fields }) => fields.filter(({ key }) => keys.has(key) && !had.has(key)))
  return [
    ...before.filter((field) => keys.has(plannedKey(field))),
    ...added.map(({ pageId, table, code }) => ({ pageId, table, code })),
  ]
}

/** What is calculated is nobody's word, and what identifies a person not every reviewer may see. */
function isPlannable(field: Field): boolean {
  return holdsData(field) && field.calculate === null && !field.identifier
}
