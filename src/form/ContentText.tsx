import { useTranslation } from 'react-i18next'
import type { Field } from '#core/form/definition/page.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'

import classes from './form.module.css'
import { languageOf, unitOf, valueWords } from './words.ts'

interface ContentTextProps {
  /** Null where no definition has the field; its value is then shown as stored. */
  readonly field: Field | null
  readonly content: ItemContent
}

/** The content of an item in words, outside of its form: labels of choices, the unit, or the missing reason. */
export function ContentText({ field, content: { value, missing } }: ContentTextProps) {
  const { t } = useTranslation('form')
  if (missing !== null)
    return <span className={classes.plainText}>{`${t(`missing.${missing.m}`)} — ${missing.reason}`}</span>
  const words = valueWords(field, value, t)
  if (words === '') return <span className={classes.plainEmpty}>{t('empty')}</span>
  const unit = field === null ? null : unitOf(field, languageOf(t))
  return (
    <span className={classes.plainText}>
      {words}
      {unit !== null && <span className={classes.plainUnit}>{unit}</span>}
    </span>
  )
}
