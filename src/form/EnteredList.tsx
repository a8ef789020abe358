import { useTranslation } from 'react-i18next'
import type { EnteredItem, EnteredView } from '#src/data/shapes/types.ts'
import { FactList } from '#src/ui/FactList.tsx'

import { ContentText } from './ContentText.tsx'
import { fieldsOf } from './places/fieldAt.ts'
import { labelOf } from './words.ts'

/** What was entered in an operation, in the words of its page. */
export function EnteredList({ entered: { option, items, facts } }: { readonly entered: EnteredView }) {
  const { t, i18n } = useTranslation(['form', 'patients'])
  const language = i18n.language === 'en' ? 'en' : 'zh'
  const fieldAt = fieldsOf(option)
  const nameOf = (table: string | null, code: string): string => {
    const field = fieldAt({ table, code })
    return field === null ? code : labelOf(field, language)
  }
  const label = ({ table, code }: EnteredItem): string =>
    [
      table === null ? null : nameOf(null, table),
      code === null && table === null
        ? t('entered.words')
        : code === null || code === '_deleted'
          ? t('entered.row')
          : nameOf(table, code),
    ]
      .filter((part) => part !== null)
      .join(' · ')
  const sexes = { F: t('patients:sex.F'), M: t('patients:sex.M') }
  return (
    <FactList
      facts={[
        ...facts.map(
          ({ field, value }) =>
            [
              t(`patients:fact.${field}`),
              value === 'F' || value === 'M' ? sexes[value] : (value ?? t('empty')),
            ] as const,
        ),
        ...items.map((item, at) => {
          const deletion = (item.code === null && item.table !== null) || item.code === '_deleted'
          const content = deletion ? (
            t('entered.deleted')
          ) : (
            <ContentText key={at} field={fieldAt(item)} content={item.to} />
          )
          return [label(item), content] as const
        }),
      ]}
    />
  )
}
