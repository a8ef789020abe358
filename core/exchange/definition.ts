import type { PageOption } from '#core/form/definition/column.ts'
import type { JsonValue } from '#core/json.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'

import type { ForeignKind } from './fileKind.ts'
import type { SheetError } from './sheet/sheetTable.ts'

/** A study definition as any reader gives it, whatever format it came in. */

export interface DefinedPage {
  readonly pageCode: string
  readonly pageName: string
  /** In English, where the source has both languages. */
  readonly pageNameEn?: string
  readonly option: PageOption
  /** Whether a patient may have it more than once in a visit; no where it is not said. */
  readonly repeatable?: boolean
}

/** A visit, as far as the source knows of visits. */
export interface DefinedFolder {
  readonly folderCode: string
  readonly folderName: string
  readonly folderNameEn?: string
  /** Codes of the pages that stand in it, in their order. A page may stand in several visits. */
  readonly pages: readonly string[]
  readonly schedule?: FolderSchedule
  /** The name that the source gave the visit, where it differs from the code. */
  readonly sourceOid?: string
}

/**
 * Part of a source field that has no place here, or not the same meaning. It is reported and its text kept; nothing
 * goes silently.
 */
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
  | 'visit'
  | 'page'
  | 'section'
  | 'extension'
  | 'element'
  | 'data'
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
  | 'no-choices'
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
  | 'other-language'
  | 'foreign-namespace'
  | 'no-place'
  | 'not-referenced'
  | 'not-defined'
  | 'no-timing'
  | 'other-version'
  | 'unknown-context'
  | 'no-expression'
  | 'field-of-table'
  | 'rows-of-source'
  | 'status-of-source-system'
  | 'data-not-taken'
  | 'language-not-kept'
  | 'media-file'
  | 'nearest-type'
  | 'device-metadata'
  | 'list-elsewhere'
  | 'choice-filter'
  | 'piped-value'
  | 'embedded-field'
  | 'rows-of-table'
  | 'nested-table'
  | 'repeat-count'
  | 'path-not-supported'
  | 'pattern-not-supported'
  | 'not-a-rule'
  | 'unbalanced'

/** Counts of a source, by the names that people who know its format have for them. */
export type SourceCounts = Readonly<Record<string, JsonValue>>

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
  readonly more?: SourceCounts
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
  /**
   * A text with a byte that does not belong to its encoding; and one in an encoding that is not read. Both counted from
   * 1.
   */
  | { readonly kind: 'bad-encoding' | 'unknown-encoding'; readonly line: number; readonly byte: number }
  /** XML that is not well-formed. */
  | { readonly kind: 'not-xml'; readonly line: number }
  /** XML that defines entities: they are a way to make a small file endless, or to fetch others. */
  | { readonly kind: 'xml-entities'; readonly line: number }
  | { readonly kind: 'odm-version'; readonly version: string }
  /** An ODM file that defines no form. */
  | { readonly kind: 'no-metadata' }
  /** An ODM file that holds data of patients and no definition. */
  | { readonly kind: 'clinical-data-only'; readonly subjects: number; readonly counts: SourceCounts }
  /** Rules of OpenClinica, which belong to a definition that is not in the file. */
  | { readonly kind: 'openclinica-rules'; readonly rules: number }
  /** A file of another kind that no reader takes for a definition. */
  | { readonly kind: 'other-kind'; readonly found: ForeignKind }
  | SheetError
  | { readonly kind: 'missing-sheets'; readonly sheets: readonly string[] }
  /** A resource of HL7 FHIR; `expressions` are the FHIRPath rules in it. */
  | { readonly kind: 'fhir'; readonly resourceType: string; readonly expressions: readonly string[] }
  /** It is none of the formats that are read. */
  | { readonly kind: 'unknown-format' }
  /** A file of ours that says something where it cannot stand; `path` is where. */
  | { readonly kind: 'wrong-shape'; readonly path: string }
  /** A file of ours that a later version wrote. */
  | { readonly kind: 'newer-version'; readonly version: number }

export type DefinitionResult =
  | { readonly ok: true; readonly definition: StudyDefinition }
  | { readonly ok: false; readonly error: DefinitionError }
