import { Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { NotCarried, StudyDefinition } from '#core/exchange/definition.ts'
import { OutcomeFold } from '#src/screens/versions/OutcomeFold.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import type { ImportGroup } from './importGroups.ts'
import { groupImport } from './importGroups.ts'
import classes from './import.module.css'

const TONES = { lost: 'bad', changed: 'change', open: 'warn', fine: 'fine' } as const

/** What a definition contains; and what does not come as it is, by what that means, each line folded below. */
export function ImportPreview({ definition }: { readonly definition: StudyDefinition }) {
  const { t } = useTranslation('admin')
  const { facts, notCarried } = definition
  const groups = useMemo(() => groupImport(notCarried), [notCarried])
  const figures = [
    [t('crf.import.forms'), facts.forms],
    [t('crf.import.fields'), facts.fields],
    [t('crf.import.choices'), facts.choices],
    [t('crf.import.required'), facts.required],
    [t('crf.import.branching'), facts.branching_rules],
    [t('crf.import.calc'), facts.calc_fields],
  ] as const
  return (
    <Stack gap="xs">
      <dl className={classes.figures} aria-label={t('crf.import.counts')}>
        {figures.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      {notCarried.length > 0 && (
        <>
          <h3 className={classes.title}>{t('crf.import.notCarried', { count: notCarried.length })}</h3>
          <p className={classes.kept}>{t('crf.import.notCarriedText')}</p>
        </>
      )}
      {groups.map((group) => (
        <GroupFold key={group.fate} group={group} />
      ))}
      <MadePages definition={definition} />
    </Stack>
  )
}

/** The pages that the file becomes. */
function MadePages({ definition: { pages, notCarried } }: { readonly definition: StudyDefinition }) {
  const names = useNames()
  const { t } = useTranslation('admin')
  const counted = pages.map((page) => ({
    page,
    count: page.option.column.length + (page.option.group ?? []).reduce((sum, group) => sum + group.column.length, 0),
  }))
  const fields = counted.reduce((sum, { count }) => sum + count, 0)
  return (
    <OutcomeFold
      tone="fine"
      title={t(notCarried.length === 0 ? 'crf.import.allCarried' : 'crf.import.pages')}
      figure={t('crf.import.pagesFigure', { pages: pages.length, fields })}
    >
      <ul className={classes.pages}>
        {counted.map(({ page, count }) => (
          <li key={page.pageCode}>
            {names.page(page)}
            <span>{t('crf.import.pageFields', { count })}</span>
          </li>
        ))}
      </ul>
    </OutcomeFold>
  )
}

/** One meaning: its reasons with how often, then the parts line by line, each with the text of the source. */
function GroupFold({ group: { fate, parts, reasons } }: { readonly group: ImportGroup }) {
  const { t } = useTranslation('admin')
  return (
    <OutcomeFold
      tone={TONES[fate]}
      title={t(`crf.import.fates.${fate}`)}
      figure={t('crf.import.parts', { count: parts.length })}
    >
      <ul className={classes.reasons}>
        {reasons.map(([why, count]) => (
          <li key={why}>
            <span>{t(`crf.import.reason.${why}`)}</span>
            <span>{t('crf.import.parts', { count })}</span>
          </li>
        ))}
      </ul>
      <PartTable title={t(`crf.import.fates.${fate}`)} parts={parts} />
    </OutcomeFold>
  )
}

function PartTable({ title, parts }: { readonly title: string; readonly parts: readonly NotCarried[] }) {
  const { t } = useTranslation('admin')
  return (
    <DataTable
      caption={title}
      rows={parts.map((part, at) => ({ ...part, at }))}
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
  )
}
