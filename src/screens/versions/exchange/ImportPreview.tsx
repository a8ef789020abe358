import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StudyDefinition } from '#core/exchange/definition.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './import.module.css'

/** What a definition contains and what it becomes; and, line by line, what cannot be carried over. */
export function ImportPreview({ definition }: { readonly definition: StudyDefinition }) {
  const names = useNames()
  const { t } = useTranslation('admin')
  const { facts, pages, notCarried } = definition
  const figures = [
    [t('crf.import.forms'), facts.forms],
    [t('crf.import.fields'), facts.fields],
    [t('crf.import.choices'), facts.choices],
    [t('crf.import.required'), facts.required],
    [t('crf.import.branching'), facts.branching_rules],
    [t('crf.import.calc'), facts.calc_fields],
  ] as const
  return (
    <Stack gap="sm">
      <dl className={classes.figures} aria-label={t('crf.import.counts')}>
        {figures.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <h3 className={classes.title}>{t('crf.import.pages')}</h3>
      <ul className={classes.pages}>
        {pages.map(({ pageCode, pageName, pageNameEn, option }) => (
          <li key={pageCode}>
            {names.page({ pageName, pageNameEn })}
            <span>
              {t('crf.import.pageFields', {
                count: option.column.length + (option.group ?? []).reduce((sum, group) => sum + group.column.length, 0),
              })}
            </span>
          </li>
        ))}
      </ul>
      {notCarried.length === 0 ? (
        <Note tone="done">{t('crf.import.allCarried')}</Note>
      ) : (
        <>
          <h3 className={classes.title}>{t('crf.import.notCarried', { count: notCarried.length })}</h3>
          <Note tone="warning">{t('crf.import.notCarriedText')}</Note>
          <DataTable
            caption={t('crf.import.notCarried', { count: notCarried.length })}
            rows={notCarried.map((part, at) => ({ ...part, at }))}
            rowKey={({ at }) => String(at)}
            columns={[
              { key: 'row', title: t('crf.import.row'), align: 'right', cell: ({ row }) => row },
              { key: 'field', title: t('crf.import.field'), cell: ({ field }) => field },
              { key: 'what', title: t('crf.import.what'), cell: ({ what }) => t(`crf.import.part.${what}`) },
              {
                key: 'why',
                title: t('crf.import.why'),
                cell: ({ why }) => <span className={classes.why}>{t(`crf.import.reason.${why}`)}</span>,
              },
              {
                key: 'text',
                title: t('crf.import.text'),
                cell: ({ text }) => <span className={classes.source}>{text}</span>,
              },
            ]}
          />
        </>
      )}
    </Stack>
  )
}
