import type { PageOption } from '#core/form/column.ts'
import type { JsonValue } from '#core/json.ts'
import type { FolderSchedule } from '#core/study/visitPlan.ts'

import type { SheetError } from './sheet/sheetTable.ts'

/** A study definition as any reader gives it, whatever format it came in. */

export interface DefinedPage {
  readonly pageCode: string
  readonly pageName: string
  readonly option: PageOption
  /** Whether a patient may have it more than once in a visit; no where it is not said. */
  readonly repeatable?: boolean
}

/** A visit, as far as the source knows of visits. */
export interface DefinedFolder {
  readonly folderCode: string
  readonly folderName: string
  /** Codes of the pages that stand in it, in their order. A page may stand in several visits. */
  readonly pages: readonly string[]
  readonly schedule?: FolderSchedule
}

/** Part of a source field that has no place here, or not the same meaning. It is reported and its text kept; nothing goes silently. */
export interface NotCarried {
  /** Row of the sheet, counted from 1 with the header as row 1, or line of the text. */
  readonly row: number
  /** Name of the source field. */
  readonly field: string
  readonly what: NotCarriedPart
  readonly why: NotCarriedReason
  /** The source's own text. */
  readonly text: string
}

/** How a reader says that a part of one field is not carried over. */
export type Report = (what: NotCarriedPart, why: NotCarriedReason, text: string) => void

export type NotCarriedPart =
  | 'field'
  | 'field-name'
  | 'label'
  | 'choices'
  | 'validation'
  | 'range'
  | 'branching'
  | 'calculation'
  | 'annotation'
  | 'layout'
  | 'flag'
  | 'column'
  | 'section'
  | 'constraint'
  | 'required'
  | 'readonly'
  | 'default'
  | 'media'
  | 'setting'

export type NotCarriedReason =
  | 'duplicate-name'
  | 'name-not-allowed'
  | 'no-form'
  | 'unknown-type'
  | 'text-only'
  | 'query-of-source-system'
  | 'markup-removed'
  | 'duplicate-choice'
  | 'unknown-validation'
  | 'not-a-constant'
  | 'layout-only'
  | 'not-used-by-source'
  | 'unknown-action-tag'
  | 'survey-only'
  | 'unknown-column'
  | 'expression-syntax'
  | 'expression-too-complex'
  | 'unknown-field'
  | 'field-of-other-event'
  | 'smart-variable'
  | 'unknown-function'
  | 'circular'
  | 'type-mismatch'
  | 'language-not-kept'
  | 'media-file'
  | 'nearest-type'
  | 'device-metadata'
  | 'list-elsewhere'
  | 'choice-filter'
  | 'piped-value'
  | 'rows-of-table'
  | 'nested-table'
  | 'repeat-count'
  | 'path-not-supported'
  | 'pattern-not-supported'
  | 'not-a-rule'
  | 'unbalanced'

/** What kind of file a definition is read from. */
export const sourceKinds = ['redcap', 'xlsform', 'xform', 'openclinica', 'workbook', 'json'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Counts of the source, taken from the file itself, to compare with what was made of it. */
export interface DefinitionFacts {
  readonly forms: number
  readonly fields: number
  readonly field_types: Readonly<Record<string, number>>
  readonly choices: number
  readonly required: number
  readonly branching_rules: number
  readonly calc_fields: number
  /** Further counts, by the names that people who know the format have for them. */
  readonly more?: Readonly<Record<string, JsonValue>>
}

export interface StudyDefinition {
  readonly pages: readonly DefinedPage[]
  /** In the order of the plan; none where the source knows no visits. */
  readonly folders: readonly DefinedFolder[]
  readonly notCarried: readonly NotCarried[]
  readonly facts: DefinitionFacts
}

/** Why a file is not a definition at all. Nothing was made of it. */
export type DefinitionError =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-csv'; readonly line: number }
  | { readonly kind: 'missing-columns'; readonly columns: readonly string[] }
  | { readonly kind: 'bad-text'; readonly row: number }
  | SheetError
  | { readonly kind: 'missing-sheets'; readonly sheets: readonly string[] }
  | { readonly kind: 'not-xml'; readonly line: number }
  /** It is none of the formats that are read. */
  | { readonly kind: 'unknown-format' }
  /** A file of ours that says something where it cannot stand; `path` is where. */
  | { readonly kind: 'wrong-shape'; readonly path: string }
  /** A file of ours that a later version wrote. */
  | { readonly kind: 'newer-version'; readonly version: number }

export type DefinitionResult =
  | { readonly ok: true; readonly definition: StudyDefinition }
  | { readonly ok: false; readonly error: DefinitionError }
