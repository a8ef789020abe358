import type { DesignColumn, DesignFolder, DesignForm, DesignPage, DesignSection } from './design.ts'

/** What a designer does to a definition, as data: applied, undone, and told to others. */

/** Where fields go: in which section or table of a page, before which of those that are there. */
export interface InsertPlace {
  readonly pageId: string
  /** The table whose row they are part of; null for the page itself. */
  readonly table: string | null
  /** Key of the section; of no meaning in a table. */
  readonly section: string
  /** Index among what stands there now; beyond the end it is the end. */
  readonly at: number
}

/** A field of a page. */
export interface DesignFieldKey {
  readonly pageId: string
  readonly table: string | null
  readonly prop: string
}

/** Keys of a record to be set; one that is `undefined` is taken away. */
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
  /** Puts a page that there is into one more visit. */
  | { readonly kind: 'page-place'; readonly pageId: string; readonly folderId: string; readonly at: number }
  | {
      readonly kind: 'page-set'
      readonly pageId: string
      readonly patch: Partial<Pick<DesignPage, 'pageName' | 'pageNameEn' | 'repeatable'>>
    }
  /** Takes a page out of a visit; where it was the last one, the page goes. */
  | { readonly kind: 'page-remove'; readonly pageId: string; readonly folderId: string }
  | {
      readonly kind: 'page-move'
      readonly pageId: string
      readonly folderId: string
      readonly to: string
      readonly at: number
    }
  /** Writes the form of a page anew as a whole. */
  | { readonly kind: 'form-write'; readonly pageId: string; readonly form: DesignForm }
  | { readonly kind: 'form-set'; readonly pageId: string; readonly patch: Patch }
  | { readonly kind: 'section-add'; readonly pageId: string; readonly section: DesignSection; readonly at: number }
  | { readonly kind: 'section-set'; readonly pageId: string; readonly key: string; readonly patch: Patch }
  /** Takes a section's title away: its fields go to the section before it. */
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
  /** Another code; whatever names it by its code follows, on all pages. */
  | { readonly kind: 'folder-code'; readonly folderId: string; readonly code: string }
  | { readonly kind: 'page-code'; readonly pageId: string; readonly code: string }
  | { readonly kind: 'field-code'; readonly field: DesignFieldKey; readonly code: string }
