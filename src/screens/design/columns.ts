import type { CheckRule, FieldExtension, FieldType } from '#core/form/definition/column.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { isRecord } from '#core/form/definition/option.ts'
import { requiredColumn } from '#core/form/definition/requiredColumn.ts'
import type { DesignColumn, DesignSection } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import { freeCode } from '#core/design/fields.ts'

/** Columns as a designer sees them: new ones, and what is set of them. */

/** What the palette offers, in groups of what is alike. */
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

/** Widths that are offered, of the 24 parts of a line. */
export const SPANS = ['6', '8', '12', '16', '24'] as const

const ALL_TYPES: readonly FieldType[] = PALETTE.flatMap(({ types }) => types)

/** The type that a column is read as: an unknown or absent one is `input`, as in core/form/definition/page.ts. */
export function typeOf({ type }: DesignColumn): FieldType {
  return ALL_TYPES.find((one) => one === type) ?? 'input'
}

/** Types of choices that are written down as a list. */
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

/** A new column of a type. What a choice offers first is there to be written over. */
export function newColumn(
  type: FieldType,
  words: { readonly label: string; readonly choice: (no: number) => string },
  taken: ReadonlySet<string>,
): DesignColumn {
  const format = FORMATS[type]
  return {
    type,
    label: words.label,
    prop: freeCode(`${type}1`, taken),
    display: true,
    span: ['dynamic', 'textarea', 'title', 'upload', 'table'].includes(type) ? 24 : 12,
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

/** What of a column Avue has no word for. */
export function extensionOf({ zl }: DesignColumn): Partial<FieldExtension> {
  return isRecord(zl) ? zl : {}
}

/** A patch of what Avue has no word for; an empty value takes the key away. */
export function extensionPatch(column: DesignColumn, patch: Patch): Patch {
  const next = Object.fromEntries(
    Object.entries({ ...extensionOf(column), ...patch }).filter(
      ([, value]) => value !== undefined && value !== '' && value !== false,
    ),
  )
  return { zl: Object.keys(next).length === 0 ? undefined : next }
}

/** A column's label in a language, and in Chinese where it has no English one. */
export function labelIn(column: DesignColumn, language: 'zh' | 'en'): string {
  const labels = extensionOf(column).labels
  const zh = labels?.zh ?? (typeof column.label === 'string' ? column.label : '')
  return inLanguage(language, zh, labels?.en)
}

/** The title of a section in a language; '' for one without. */
export function sectionName({ rest }: Pick<DesignSection, 'rest'>, language: 'zh' | 'en'): string {
  const own = typeof rest.label === 'string' ? rest.label : ''
  return inLanguage(language, own, typeof rest.labelEn === 'string' ? rest.labelEn : null)
}

/** Another label. A required column says it in its message too (specification §5). */
export function labelPatch(column: DesignColumn, { zh, en }: { readonly zh: string; readonly en: string }): Patch {
  const labels = en === '' ? undefined : { zh, en }
  return {
    label: zh,
    ...extensionPatch(column, { labels }),
    ...(column.required === true ? requiredPatch(true, zh) : {}),
  }
}

/** Whether a column must be filled in, with the rule and the message that a stock form looks at (specification §5). */
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
