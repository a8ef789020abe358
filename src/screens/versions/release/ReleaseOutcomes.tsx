import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MigrationPlan } from '#core/api/calls/migration.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { FIELD_TYPES } from '#core/form/definition/column.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { useServerQuery } from '#src/data/server.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { OutcomeFold } from '../OutcomeFold.tsx'
import type { FieldChange, FieldTypes, OutcomeGroup, OutcomeLine } from './releaseGroups.ts'
import { fieldTypes, groupOutcomes } from './releaseGroups.ts'
import classes from './release.module.css'

/** How many values of a group are drawn; the number of the others is shown. */
const MOST_SHOWN = 200

interface ReleaseOutcomesProps {
  readonly projectId: string
  readonly crfId: string
  readonly plan: MigrationPlan
  readonly lines: readonly OutcomeLine[]
}

/** The values that do not stay as they are, by outcome: how many of how many fields, and folded below it each one. */
export function ReleaseOutcomes({ projectId, crfId, plan, lines }: ReleaseOutcomesProps) {
  const before = useTypes(projectId, plan.from?.id ?? crfId)
  const after = useTypes(projectId, crfId)
  const groups = useMemo(() => groupOutcomes(lines, plan, before, after), [lines, plan, before, after])
  return groups.map((group) => <Outcome key={group.key} group={group} />)
}

/** The types of the fields of a version; none until it is read. */
function useTypes(projectId: string, id: string): FieldTypes {
  const version = useServerQuery('version.detail', { params: { id }, projectId })
  const folders = version.state === 'ready' ? version.value.folders : NONE
  return useMemo(() => fieldTypes(folders), [folders])
}

const NONE: VersionRow['folders'] = []

function Outcome({ group }: { readonly group: OutcomeGroup }) {
  const { t } = useTranslation('versions')
  const changeText = useChangeText()
  const { kind, change, fields, values, lines } = group
  const title =
    change === null || kind === 'retired' || kind === 'archived'
      ? t(`migration.groups.${kind}`, { change: '' })
      : t(`migration.groups.${kind}`, { change: changeText(change) })
  const shown = lines.slice(0, MOST_SHOWN)
  return (
    <OutcomeFold
      tone={kind === 'unconverted' ? 'bad' : kind === 'converted' ? 'fine' : 'warn'}
      title={title}
      figure={t('migration.affects', { fields: fields.length, values })}
      open={kind === 'unconverted'}
    >
      <FieldTable group={group} title={title} />
      <h5 className={classes.each}>{t('migration.each')}</h5>
      <ValueTable title={`${title} · ${t('migration.each')}`} lines={shown} />
      {lines.length > MOST_SHOWN && <Text size="sm">{t('migration.more', { count: lines.length - MOST_SHOWN })}</Text>}
    </OutcomeFold>
  )
}

/** What has changed about a field, in words. */
function useChangeText(): (change: FieldChange) => string {
  const { t } = useTranslation(['versions', 'design'])
  const typeName = (name: string) => t(`design:types.${FIELD_TYPES.find((one) => one === name) ?? 'input'}`)
  return (change) =>
    change.of === 'type'
      ? t('migration.changes.type', { from: typeName(change.from), to: typeName(change.to) })
      : t(`migration.changes.${change.of}`)
}

function FieldTable({ group: { fields }, title }: { readonly group: OutcomeGroup; readonly title: string }) {
  const { t } = useTranslation('versions')
  const names = useNames()
  const fieldName = useFieldName()
  return (
    <DataTable
      caption={title}
      rows={fields}
      rowKey={({ key }) => key}
      columns={[
        { key: 'page', title: t('migration.columns.page'), cell: ({ item }) => names.place(item) },
        { key: 'field', title: t('migration.columns.field'), cell: ({ item }) => fieldName(item) },
        { key: 'values', title: t('migration.columns.values'), align: 'right', cell: ({ values }) => values },
        { key: 'patients', title: t('migration.columns.patients'), align: 'right', cell: ({ patients }) => patients },
      ]}
    />
  )
}

function ValueTable({ title, lines }: { readonly title: string; readonly lines: readonly OutcomeLine[] }) {
  const { t } = useTranslation('versions')
  const names = useNames()
  const fieldName = useFieldName()
  return (
    <DataTable
      caption={title}
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        { key: 'patient', title: t('migration.columns.patient'), short: true, cell: ({ patient }) => patient },
        { key: 'page', title: t('migration.columns.page'), cell: (item) => names.place(item) },
        { key: 'field', title: t('migration.columns.field'), cell: (item) => fieldName(item) },
        {
          key: 'value',
          title: t('migration.columns.value'),
          cell: ({ value, to }) => (
            <span className={classes.text}>{to === null || to === value ? value : `${value} → ${to}`}</span>
          ),
        },
      ]}
    />
  )
}

/** The name of a field of a report, after the name of its table. */
function useFieldName(): (item: OutcomeLine) => string {
  const language = useLanguage()
  return ({ tableLabel, tableLabelEn, label, labelEn }) =>
    [inLanguage(language, tableLabel, tableLabelEn), inLanguage(language, label, labelEn)]
      .filter((part) => part !== null)
      .join(' · ')
}
