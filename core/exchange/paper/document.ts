import type { Language } from '#core/language.ts'

/**
 * A document for paper, as the server sets it in type (server/print): texts in a closed set of shapes. All of them are
 * plain: nothing in them is markup, wherever they come from.
 */

/** How a line looks. `box` and `ticked`: a choice beside its box; `rule`: an empty line to write on. */
export type LineLook = 'plain' | 'strong' | 'muted' | 'code' | 'box' | 'round' | 'rule'

export interface PaperLine {
  readonly t: string
  readonly l: LineLook
}

/** Lines one below the other. */
export type PaperCell = readonly PaperLine[]

/** A name with what is said of it. */
export type PaperFact = readonly [name: string, text: string]

export interface PaperTable {
  readonly kind: 'table'
  /** Shares of the width. */
  readonly widths: readonly number[]
  readonly head: readonly string[]
  /** A row of one cell goes over all columns. */
  readonly rows: readonly (readonly PaperCell[])[]
}

export interface PaperPicture {
  /** Name under which its content comes with the document; null where it is not printed. */
  readonly file: string | null
  readonly caption: string
}

export type PaperBlock =
  | PaperTable
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly look: 'plain' | 'muted' }
  | { readonly kind: 'facts'; readonly facts: readonly PaperFact[] }
  | { readonly kind: 'pictures'; readonly pictures: readonly PaperPicture[] }

/** What has a bookmark: a visit, and within it a page. */
export interface PaperPart {
  readonly level: 1 | 2
  readonly title: string
  /** Whether it begins a sheet. */
  readonly onNewSheet: boolean
  readonly blocks: readonly PaperBlock[]
}

export interface PaperDocument {
  readonly language: Language
  readonly title: string
  readonly subtitle: string
  /** On the first sheet, below the title. */
  readonly facts: readonly PaperFact[]
  readonly notes: readonly string[]
  /** Above the list of its parts. */
  readonly contents: string
  /** At the head of every sheet, left and right. */
  readonly head: readonly [left: string, right: string]
  /** At the foot of every sheet, beside its number. */
  readonly foot: string
  readonly parts: readonly PaperPart[]
}

export function lineOf(t: string, l: LineLook = 'plain'): PaperLine {
  return { t, l }
}

export function cellOf(text: string, look: LineLook = 'plain'): PaperCell {
  return [lineOf(text, look)]
}
