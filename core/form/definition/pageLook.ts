import type { Language } from '#core/language.ts'

import { inLanguage } from './inLanguage.ts'
import type { Raw } from './option.ts'
import { finite, isRecord, text } from './option.ts'

/** How a page is laid out, as its definition says. */

export const PAGE_SIZES = ['A4-horizontal', 'A4-vertical'] as const
export type PageSize = (typeof PAGE_SIZES)[number]

const SIDES = ['left', 'right', 'top'] as const
const PLACES = ['left', 'center', 'right'] as const

export interface PageLook {
  /** Where labels stand; null where the definition does not say: above their fields. */
  readonly labelPosition: (typeof SIDES)[number] | null
  /** Width of labels beside their fields, in pixels. */
  readonly labelWidth: number | null
  /** The text after each label. */
  readonly labelSuffix: string
  readonly labelSuffixEn: string | null
  /** Room between fields in one line, in pixels. */
  readonly gutter: number | null
  /** The text of the button that submits the page. */
  readonly submitText: string | null
  readonly submitTextEn: string | null
  /** Where that button stands. */
  readonly menuPosition: (typeof PLACES)[number] | null
  /** The width of the page; null for the width of the screen. */
  readonly size: PageSize | null
}

export const PLAIN_LOOK: PageLook = {
  labelPosition: null,
  labelWidth: null,
  labelSuffix: '',
  labelSuffixEn: null,
  gutter: null,
  submitText: null,
  submitTextEn: null,
  menuPosition: null,
  size: null,
}

const MOST_SUFFIX = 10
const MOST_SUBMIT = 40

export function readLook(root: Raw): PageLook {
  const { labelPosition, labelWidth, labelSuffix, gutter, submitText, menuPosition, zl } = root
  const { pageSize: size, labelSuffixEn, submitTextEn } = isRecord(zl) ? zl : {}
  return {
    labelPosition: SIDES.find((one) => one === labelPosition) ?? null,
    labelWidth: positive(labelWidth, 600),
    labelSuffix: text(labelSuffix)?.slice(0, MOST_SUFFIX) ?? '',
    labelSuffixEn: text(labelSuffixEn)?.slice(0, MOST_SUFFIX) ?? null,
    gutter: positive(gutter, 200),
    submitText: text(submitText)?.slice(0, MOST_SUBMIT) ?? null,
    submitTextEn: text(submitTextEn)?.slice(0, MOST_SUBMIT) ?? null,
    menuPosition: PLACES.find((one) => one === menuPosition) ?? null,
    size: PAGE_SIZES.find((one) => one === size) ?? null,
  }
}

function positive(value: unknown, most: number): number | null {
  const said = finite(value)
  return said === null || said < 0 ? null : Math.min(said, most)
}

/** How many of the 24 parts of a line a field takes; null for all of them. */
export function readSpan(value: unknown): number | null {
  const span = finite(value)
  return span === null || span < 1 || span >= 24 ? null : Math.floor(span)
}

/** Ends of a label after which no suffix is put. */
const ENDED = /[?？:：.。!！;；,，、…]$/u

/** The suffix that a page puts after a label: none after a question, or after a label with a colon of its own. */
export function suffixAfter(
  label: string,
  { labelSuffix, labelSuffixEn }: Pick<PageLook, 'labelSuffix' | 'labelSuffixEn'>,
  language: Language,
): string {
  return ENDED.test(label.trimEnd()) ? '' : inLanguage(language, labelSuffix, labelSuffixEn)
}
