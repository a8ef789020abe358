import type { CheckRule, FieldExtension, FieldType } from '#core/form/definition/column.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { isRecord } from '#core/form/definition/option.ts'
import { requiredColumn } from '#core/form/definition/requiredColumn.ts'
import type { DesignColumn, DesignSection } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import { freeCode } from '#core/design/fields.ts'

/** Columns for the designer: new ones, and patches for their properties. */

/** The types of the palette, in groups of similar types. */
export const PALETTE = [
  { group: 'text', types: ['input', 'textarea', 'autocomplete', 'url', 'array'] },
  { group: 'number', types: ['number', 'slider'] },
  { group: 'choice', types: ['radio', 'checkbox', 'select', 'cascader', 'tree'] },
  {
    group: 'time',
    types: ['date', 'datetime', 'time', 'year', 'month', 'week', 'daterange', 'datetimerange', 'timerange'],
  },
  { group: 'more', types: ['dynamic', 'upload', 'table', 'title'] },
] as const satisfies readonly { readonly group: string; readonly types: readonly FieldType[] }[]

/** Offered widths, in parts of a line that has 24. */
export const SPANS = ['6', '8', '12', '16', '24'] as const

const ALL_TYPES: readonly FieldType[] = PALETTE.flatMap(({ types }) => types)

/** The type that a column is read as: an unknown or absent one is `input`, as in core/form/definition/page.ts. */
export function typeOf({ type }: DesignColumn): FieldType {
  return ALL_TYPES.find((one) => one === type) ?? 'input'
}

/** Types whose choices are stored as a list. */
export function hasChoices(type: FieldType): boolean {
  return ['radio', 'checkbox', 'select', 'cascader', 'tree', 'table'].includes(type)
}

const FORMATS: Partial<Record<FieldType, string>> = {
  date: 'yyyy-MM-dd',
  daterange: 'yyyy-MM-dd',
  week: 'yyyy-MM-dd',
  datetime: 'yyyy-MM-dd HH:mm',
  datetimerange: 'yyyy-MM-dd HH:mm',
  time: 'HH:mm',
  timerange: 'HH:mm',
  year: 'yyyy',
  month: 'yyyy-MM',
}

/**
 * A new column of a type. The first choices of a choice field are examples to overwrite.
 *
 * @param beside the fields among which it comes: it says its width only where one of them does, because a page on which
 *   no field says one is laid out by the app
 */
export function newColumn(
  type: FieldType,
  words: { readonly label: string; readonly choice: (no: number) => string },
  taken: ReadonlySet<string>,
  beside: readonly DesignColumn[],
): DesignColumn {
  const format = FORMATS[type]
  const span = ['dynamic', 'textarea', 'title', 'upload', 'table'].includes(type) ? 24 : 12
  return {
    type,
    label: words.label,
    prop: freeCode(`${type}1`, taken),
    display: true,
    ...(beside.some((column) => column.span !== undefined) ? { span } : {}),
    ...(format === undefined ? {} : { format, valueFormat: format }),
    ...(hasChoices(type)
      ? {
          dicData: [1, 2].map((no) => ({ label: words.choice(no), value: String(no) })),
          props: { label: 'label', value: 'value' },
        }
      : {}),
    ...(type === 'dynamic' ? { children: { type: 'crud', column: [] } } : {}),
  }
}

/** The properties of a column that Avue does not know. */
export function extensionOf({ zl }: DesignColumn): Partial<FieldExtension> {
  return isRecord(zl) ? zl : {}
}

/** A patch of properties that Avue does not know; an empty value removes the key. */
export function extensionPatch(column: DesignColumn, patch: Patch): Patch {
  const next = Object.fromEntries(
    Object.entries({ ...extensionOf(column), ...patch }).filter(
      ([, value]) => value !== undefined && value !== '' && value !== false,
    ),
  )
  return { zl: Object.keys(next).length === 0 ? undefined : next }
}

/** A column's label in a language; the Chinese one where there is no English one. */
export function labelIn(column: DesignColumn, language: 'zh' | 'en'): string {
  const labels = extensionOf(column).labels
  const zh = labels?.zh ?? (typeof column.label === 'string' ? column.label : '')
  return inLanguage(language, zh, labels?.en)
}

/** The title of a section in a language; '' for a section without title. */
export function sectionName({ rest }: Pick<DesignSection, 'rest'>, language: 'zh' | 'en'): string {
  const own = typeof rest.label === 'string' ? rest.label : ''
  return inLanguage(language, own, typeof rest.labelEn === 'string' ? rest.labelEn : null)
}

/** A patch for a new label. A required column repeats its label in its message (specification §5). */
export function labelPatch(column: DesignColumn, { zh, en }: { readonly zh: string; readonly en: string }): Patch {
  const labels = en === '' ? undefined : { zh, en }
  return {
    label: zh,
    ...extensionPatch(column, { labels }),
    ...(column.required === true ? requiredPatch(true, zh) : {}),
  }
}

/**
 * A patch that makes a column required or not, with the rule and the message that a stock form reads (specification
 * §5).
 */
export function requiredPatch(required: boolean, label: string): Patch {
  return required ? requiredColumn(label) : { required: undefined, rules: undefined }
}

export function checksOf(column: DesignColumn): readonly CheckRule[] {
  return extensionOf(column).checks ?? []
}

/** A text box's content as a number to be stored; undefined where it is none. */
export function numberOf(text: string): number | undefined {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value
}
