import type { LeastKnown } from '#core/values/calendarParts.ts'
import type { StoredLists } from './lists.ts'

/**
 * The column of a stored page option. Its keys are those of an Avue form option: we can read a page of a stock
 * designer, and a stock form can draw one of ours. What Avue has no word for is under one key, `zl`, which a stock
 * front end ignores.
 */

/**
 * Every type of input of the specification. A closed set: an unknown or absent type is read as `input`, as Avue does.
 */
export const FIELD_TYPES = [
  'input',
  'autocomplete',
  'textarea',
  'upload',
  'number',
  'array',
  'url',
  'dynamic',
  'radio',
  'checkbox',
  'select',
  'cascader',
  'tree',
  'year',
  'month',
  'week',
  'date',
  'time',
  'slider',
  'datetime',
  'daterange',
  'timerange',
  'datetimerange',
  'table',
] as const

/** A type of input, or `title`: a text on the page, with nothing to enter. */
export type FieldType = (typeof FIELD_TYPES)[number] | 'title'

/** A text in both languages. `zh` is always there; `en` falls back to it. */
export interface BilingualText {
  readonly zh: string
  readonly en?: string
}

/** What an `input` is checked for, besides being text. */
export const TEXT_VALIDATIONS = ['phone', 'email', 'integer', 'number', 'letters', 'postcode'] as const

export type TextValidation = (typeof TEXT_VALIDATIONS)[number]

/** How grave a failed check is. `query` opens an automatic query on the server. Only an `error` stops a submit. */
export type CheckSeverity = 'error' | 'warning' | 'query'

/** A rule that reports a problem when `when` (CEL, bool) is true. */
export interface CheckRule {
  readonly id: string
  readonly when: string
  readonly severity: CheckSeverity
  readonly message: BilingualText
}

/** One or both ends of a range: a number, or ISO text for dates and times. A value at a bound is within the range. */
export interface Bounds {
  readonly min?: number | string
  readonly max?: number | string
}

/**
 * A range in which the values of healthy people lie. It holds for those for whom `when` (CEL, bool) is true; without
 * `when` it holds for everybody.
 */
export interface ReferenceRange extends Bounds {
  readonly when?: string
}

/**
 * What the product knows about a field and Avue has no word for. Rules are CEL texts (docs/adr/0007-cel-and-blanks.md).
 */
export interface FieldExtension {
  readonly show?: string
  readonly require?: string
  readonly readOnlyWhen?: string
  readonly calculate?: string
  readonly checks?: readonly CheckRule[]
  readonly unit?: string
  /** The unit in English, where `unit` has other words. */
  readonly unitEn?: string
  /**
   * Hard limits: what is possible at all. A value outside is an error, which does not stop saving but stops a submit.
   */
  readonly min?: number | string
  readonly max?: number | string
  /**
   * The plausible range. For a value outside of it, a person confirms or corrects the value: a warning
   * (`implausible-low`, `implausible-high`).
   */
  readonly plausible?: Bounds
  /**
   * Reference ranges: the first whose condition holds is shown beside the field, and a value outside of it is flagged
   * as high or low. The flag is only information, never an error or a warning.
   */
  readonly reference?: readonly ReferenceRange[]
  /**
   * Of a `date`: the least that must be known of it. `month` takes yyyy-MM beside yyyy-MM-dd, `year` takes yyyy as well
   * (docs/adr/0013-partial-dates.md). Without this, the whole date must be known.
   */
  readonly partial?: LeastKnown
  /** Digits after the point that a number may have. */
  readonly precision?: number
  readonly validation?: TextValidation
  /** `yesno` draws a choice of '1' and '0' as two halves with words of the reader's language. */
  readonly widget?: 'yesno'
  /** The name of the field in the source format, where it differs from `prop` or carries a meaning. */
  readonly sourceOid?: string
  /** Fields with the same matrix name are one table of questions in the source. */
  readonly matrix?: string
  /** The value identifies a person: it is masked for those without the right, and kept out of de-identified exports. */
  readonly identifier?: boolean
  /** Of a table: the columns that identify a row in the second pass of double entry. */
  readonly rowKey?: readonly string[]
  readonly labels?: BilingualText
  /** A hint under the label, and the same in English. */
  readonly note?: string
  readonly noteEn?: string
  /** The column's `placeholder` in English. */
  readonly placeholderEn?: string
  /** Words at the ends and the middle of a slider, and the same in English. */
  readonly marks?: readonly string[]
  readonly marksEn?: readonly string[]
  /**
   * Former codes of the field, the latest last: a release uses them to find what was entered
   * (core/design/formerCodes.ts).
   */
  readonly was?: readonly string[]
  /**
   * Places in the label and the hint that show values of other fields of the page or the row: the text of each place,
   * and the code of its field.
   */
  readonly pipes?: Readonly<Record<string, string>>
  /**
   * Parts of an imported definition that nothing here understands, by their names in the source. They are never run; an
   * export writes them again.
   */
  readonly kept?: Readonly<Record<string, string>>
}

/** One option of a choice field, as stored. */
export interface DictionaryItem {
  readonly label: string
  readonly value: string | number | boolean
  readonly disabled?: boolean
  readonly desc?: string
  /** The label in English, where `label` is not. */
  readonly labelEn?: string
  /** Former values of the option, the latest last. */
  readonly was?: readonly string[]
  readonly children?: readonly DictionaryItem[]
}

/** One column as it is written into a page option. */
export interface Column {
  readonly prop: string
  readonly label: string
  readonly type: FieldType
  readonly span?: number
  readonly display?: boolean
  /** Whether the column is shown in one mode of the form: for a new entry, for a saved one, for viewing. */
  readonly addDisplay?: boolean
  readonly editDisplay?: boolean
  readonly viewDisplay?: boolean
  readonly disabled?: boolean
  readonly addDisabled?: boolean
  readonly editDisabled?: boolean
  readonly readonly?: boolean
  readonly required?: boolean
  /** What a new entry begins with; the text of a title. */
  readonly value?: unknown
  readonly rules?: readonly { readonly required?: boolean; readonly message?: string; readonly trigger?: string }[]
  readonly dicData?: readonly DictionaryItem[]
  readonly props?: {
    readonly label?: string
    readonly value?: string
    readonly children?: string
    readonly emitPath?: boolean
    readonly checkStrictly?: boolean
  }
  /** Of a `cascader`: whether its value is the whole path (true, the default) or the last step. */
  readonly emitPath?: boolean
  /** Of a `tree`: whether a choice with other choices below it may be chosen (true, the default). */
  readonly parent?: boolean
  readonly multiple?: boolean
  readonly range?: boolean
  readonly dataType?: 'string' | 'number' | 'array' | 'json' | 'object'
  readonly separator?: string
  readonly maxlength?: number
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly precision?: number
  readonly placeholder?: string
  readonly format?: string
  readonly valueFormat?: string
  readonly children?: {
    readonly column: readonly Column[]
    readonly type?: 'crud' | 'form'
    readonly limit?: number
    readonly props?: Readonly<Record<string, unknown>>
  }
  /** Of an `upload`: which files its file chooser shows, how many it takes, and how large each may be, in KB. */
  readonly accept?: string | readonly string[]
  readonly limit?: number
  readonly fileSize?: number
  /**
   * Where a list of choices that is not written down here comes from (`core/form/definition/lists.ts`); with a search
   * where the list is long.
   */
  readonly dicUrl?: string
  readonly remote?: boolean
  readonly filterable?: boolean
  /** Codes of the fields whose lists follow the answer of this one. */
  readonly cascader?: readonly string[]
  /** No two patients may have the same value. */
  readonly unique?: boolean
  /** The entered text is coded later. */
  readonly encode?: boolean
  /** Values are taken from another page (`core/form/definition/lookUp.ts`). */
  readonly fkCrfPageId?: string
  readonly fkCrfPageColumn?: string
  readonly groupPropId?: string
  readonly zl?: FieldExtension
}

/** A titled part of a page. */
export interface ColumnGroup {
  readonly label: string
  /** The title in English, where `label` is not. */
  readonly labelEn?: string
  readonly prop: string
  readonly column: readonly Column[]
}

/** Settings of a form that Avue has no word for. */
export interface PageExtension {
  /** The page takes attachments as a whole (core/form/definition/attachments.ts). */
  readonly attachment?: boolean
  /** The page cannot be submitted without an attachment. */
  readonly attachmentRequired?: boolean
  /** The name that the source format gave the page, where it differs from its code. */
  readonly sourceOid?: string
  /** The form's `labelSuffix` and `submitText` in English. */
  readonly labelSuffixEn?: string
  readonly submitTextEn?: string
  /** The width of the page; without it the page is as wide as the screen. */
  readonly pageSize?: 'A4-horizontal' | 'A4-vertical'
  /** Lists that columns name by a URL, as they were when the definition was saved. */
  readonly lists?: StoredLists
}

/** A page option as this product writes it. Columns outside of a group come first. */
export interface PageOption {
  readonly column: readonly Column[]
  readonly group?: readonly ColumnGroup[]
  readonly labelPosition?: 'left' | 'right' | 'top'
  readonly labelSuffix?: string
  readonly labelWidth?: number
  readonly zl?: PageExtension
}
