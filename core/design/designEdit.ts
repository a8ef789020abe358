import type { DesignColumn, DesignFolder, DesignForm, DesignPage, DesignSection } from './design.ts'

/** A designer's edits of a definition, as data: applied, undone, and sent to others. */

/** The place where fields are inserted: the section or table of a page, and before which of its fields. */
export interface InsertPlace {
  readonly pageId: string
  /** The table whose row they belong to; null for the page itself. */
  readonly table: string | null
  /** Key of the section; ignored for a table. */
  readonly section: string
  /** Index among the present fields; an index beyond the end means the end. */
  readonly at: number
}

/** A field of a page. */
export interface DesignFieldKey {
  readonly pageId: string
  readonly table: string | null
  readonly prop: string
}

/** Keys of a record to be set; a key that is `undefined` is removed. */
export type Patch = Readonly<Record<string, unknown>>

export type DesignEdit =
  | {
      readonly kind: 'folder-add'
      readonly folder: DesignFolder
      readonly at: number
      readonly pages?: readonly DesignPage[]
    }
  | {
      readonly kind: 'folder-set'
      readonly folderId: string
      readonly patch: Partial<Pick<DesignFolder, 'folderName' | 'folderNameEn' | 'schedule'>>
    }
  | { readonly kind: 'folder-remove'; readonly folderId: string }
  | { readonly kind: 'folder-move'; readonly folderId: string; readonly at: number }
  | { readonly kind: 'page-add'; readonly page: DesignPage; readonly folderId: string; readonly at: number }
  /** Adds an existing page to one more visit. */
  | { readonly kind: 'page-place'; readonly pageId: string; readonly folderId: string; readonly at: number }
  | {
      readonly kind: 'page-set'
      readonly pageId: string
      readonly patch: Partial<Pick<DesignPage, 'pageName' | 'pageNameEn' | 'repeatable'>>
    }
  /** Removes a page from a visit; a page that is in no visit any more is deleted. */
  | { readonly kind: 'page-remove'; readonly pageId: string; readonly folderId: string }
  | {
      readonly kind: 'page-move'
      readonly pageId: string
      readonly folderId: string
      readonly to: string
      readonly at: number
    }
  /** Replaces the form of a page as a whole. */
  | { readonly kind: 'form-write'; readonly pageId: string; readonly form: DesignForm }
  | { readonly kind: 'form-set'; readonly pageId: string; readonly patch: Patch }
  | { readonly kind: 'section-add'; readonly pageId: string; readonly section: DesignSection; readonly at: number }
  | { readonly kind: 'section-set'; readonly pageId: string; readonly key: string; readonly patch: Patch }
  /** Removes a section's title: its fields go to the section before it. */
  | { readonly kind: 'section-join'; readonly pageId: string; readonly key: string }
  | { readonly kind: 'section-move'; readonly pageId: string; readonly key: string; readonly at: number }
  | { readonly kind: 'fields-add'; readonly place: InsertPlace; readonly columns: readonly DesignColumn[] }
  | {
      readonly kind: 'fields-move'
      readonly from: { readonly pageId: string; readonly table: string | null; readonly props: readonly string[] }
      readonly to: InsertPlace
    }
  | {
      readonly kind: 'fields-remove'
      readonly pageId: string
      readonly table: string | null
      readonly props: readonly string[]
    }
  | { readonly kind: 'field-set'; readonly field: DesignFieldKey; readonly patch: Patch }
  /** Another code; everything that refers to it by its code is updated, on all pages. */
  | { readonly kind: 'folder-code'; readonly folderId: string; readonly code: string }
  | { readonly kind: 'page-code'; readonly pageId: string; readonly code: string }
  | { readonly kind: 'field-code'; readonly field: DesignFieldKey; readonly code: string }
