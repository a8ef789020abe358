import type { Field } from '#core/form/definition/page.ts'
import type { Limits } from '#core/form/definition/readLimits.ts'
import type { Cell } from '#core/form/engine/cell.ts'

import type { FormEnvironment } from '../formContext.ts'
import type { RangeWords } from '../rowWords.ts'
import { noteOf } from '../words.ts'
import type { FormWords } from '../words.ts'

/**
 * The quiet hint below a label: the designer's words, the range in which the value is expected, and how to type it.
 * Null without any of these.
 */
export function hintText(
  { field, reference }: Pick<Cell, 'field' | 'reference'>,
  editable: boolean,
  { t, words, language }: Pick<FormEnvironment, 't' | 'words' | 'language'>,
): string | null {
  const note = noteOf(field, language)
  const expected = reference === null ? null : rangeIn(words.reference, reference)
  if (!editable) return [note, expected].filter((hint) => hint !== null).join(' · ') || null
  const hints = [
    note,
    expected,
    field.type === 'slider' ? null : rangeIn(words.range, field),
    typingHint(field, t),
    field.encode ? t('encodeHint') : null,
  ].filter((hint) => hint !== null)
  return hints.length === 0 ? null : hints.join(' · ')
}

/** A range in words; null without ends. */
function rangeIn(words: RangeWords, { min, max }: Limits): string | null {
  if (min !== null && max !== null) return words.both(String(min), String(max))
  if (min !== null) return words.min(String(min))
  return max === null ? null : words.max(String(max))
}

function typingHint({ type, partial }: Field, t: FormWords): string | null {
  if (type === 'array') return t('perLine')
  if (type === 'url') return t('perLineUrl')
  return partial === null ? null : t(`partialHint.${partial}`)
}
