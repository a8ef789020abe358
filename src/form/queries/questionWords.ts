import type { Field } from '#core/form/definition/page.ts'
import type { KnownQuery } from '#src/data/shapes/queryTypes.ts'

import { bilingual } from '../words.ts'
import type { Language } from '../words.ts'

/**
 * What was asked, in the reader's language. What a check asked is kept in its Chinese words. Its English words are
 * shown where the version still has the check in just these words: one that says something else has asked nothing.
 *
 * @param field the field that it is about; null where it is about none, or the version does not have it
 */
export function questionWords(
  { rule, thread }: Pick<KnownQuery, 'rule' | 'thread'>,
  field: Field | null,
  language: Language,
): string | null {
  const text = thread[0]?.text ?? null
  const check = rule === null ? undefined : field?.checks.find(({ id, message }) => id === rule && message.zh === text)
  return check === undefined ? text : bilingual(check.message, language)
}
