import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataSetPreview } from '#core/api/calls/data/dataset.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { isMissing } from '#core/dataset/table.ts'
import { useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { TitledTable } from '#src/ui/lists/TitledTable.tsx'
import { figure } from '#src/ui/words/format.ts'

import classes from '../export.module.css'

interface PreviewPartProps {
  readonly projectId: string
  readonly definition: DataSetDefinition
  /** Why the definition cannot be run; null where it can. */
  readonly barred: string | null
}

/** The first rows of each table as they would leave, when somebody asks for them. */
export function PreviewPart({ projectId, definition, barred }: PreviewPartProps) {
  const { t } = useTranslation('dataExport')
  const [asked, setAsked] = useState<{ readonly definition: DataSetDefinition; readonly times: number } | null>(null)
  const isOld = asked !== null && JSON.stringify(asked.definition) !== JSON.stringify(definition)
  return (
    <Panel
      title={t('preview.title')}
      actions={
        <ServerButton
          size="md"
          variant="default"
          barred={barred}
          onClick={() => setAsked({ definition, times: (asked?.times ?? 0) + 1 })}
        >
          {t(asked === null ? 'preview.open' : 'preview.again')}
        </ServerButton>
      }
    >
      <Text size="sm" c="dimmed">
        {t('preview.hint')}
      </Text>
      {asked !== null && (
        <div aria-live="polite">
          {isOld && <Note tone="warning">{t('preview.old')}</Note>}
          <Preview projectId={projectId} definition={asked.definition} times={asked.times} />
        </div>
      )}
    </Panel>
  )
}

interface PreviewProps {
  readonly projectId: string
  readonly definition: DataSetDefinition
  /** How often it was asked for: another time reads again. */
  readonly times: number
}

function Preview({ projectId, definition, times }: PreviewProps) {
  const preview = useServerQuery('dataset.preview', { body: { projectId, definition }, projectId }, String(times))
  return (
    <Loaded of={preview} rows={6}>
      {(value) => <PreviewTables preview={value} />}
    </Loaded>
  )
}

function PreviewTables({ preview }: { readonly preview: DataSetPreview }) {
  const { t } = useTranslation('dataExport')
  const { tables, subjects, entries, conflicts, casebooks } = preview
  if (tables === null) return <Note tone="error">{t('preview.tooWide')}</Note>
  return (
    <Stack gap="md" mt="sm">
      <Text>
        {t(tables.length === 0 ? 'preview.factsCasebooks' : 'preview.facts', {
          subjects: figure(subjects, 0),
          entries: figure(entries, 0),
          tables: tables.length,
        })}
      </Text>
      {casebooks !== null && (
        <Text>
          {t(casebooks.trailLines === null ? 'preview.casebooks' : 'preview.casebooksTrail', {
            queries: figure(casebooks.queries, 0),
            lines: figure(casebooks.trailLines ?? 0, 0),
          })}{' '}
          {t('preview.noTables')}
        </Text>
      )}
      {conflicts > 0 && <Note tone="warning">{t('preview.conflicts', { count: conflicts })}</Note>}
      <SmallGroups small={preview.small} />
      <LeftOut left={preview.left} />
      {tables.map((table) => (
        <div key={table.name}>
          {table.rows.length === 0 ? (
            <Text className={classes.hint}>
              {t('preview.table', { label: table.label, name: table.name })} · {t('preview.noRows')}
            </Text>
          ) : (
            <TitledTable
              caption={t('preview.table', { label: table.label, name: table.name })}
              columns={table.variables.map(({ name, label, type }, at) => ({
                key: name,
                title: `${label} (${name})`,
                cell: ([, cells]: readonly [number, PreviewCells]) => textOf(cells[at] ?? null),
                ...(type === 'number' ? { align: 'right' as const } : {}),
              }))}
              rows={table.rows.map((cells, at) => [at, cells] as const)}
              rowKey={([at]) => String(at)}
            />
          )}
          {table.variableCount > table.variables.length && (
            <Text className={classes.hint}>
              {t('preview.more', { total: figure(table.variableCount, 0), shown: table.variables.length })}
            </Text>
          )}
        </div>
      ))}
    </Stack>
  )
}

type PreviewCells = NonNullable<DataSetPreview['tables']>[number]['rows'][number]

function textOf(cell: PreviewCells[number]): string {
  if (cell === null) return ''
  return isMissing(cell) ? cell.m : String(cell)
}

/** Subjects who may be recognised. */
export function SmallGroups({ small }: Pick<DataSetPreview, 'small'>) {
  const { t } = useTranslation('dataExport')
  if (small.length === 0) return null
  const groups = small.map(({ center, sex, subjects }) =>
    t('deidentify.group', { center, sex: t(`deidentify.sex.${sex ?? 'none'}`), count: subjects }),
  )
  return <Note tone="warning">{t('deidentify.small', { groups: groups.join('; ') })}</Note>
}

/** Fields that were asked for and stay behind. */
function LeftOut({ left }: Pick<DataSetPreview, 'left'>) {
  const { t } = useTranslation('dataExport')
  if (left.length === 0) return <Text className={classes.hint}>{t('preview.noneLeft')}</Text>
  return (
    <details className={classes.folded}>
      <summary>{t('preview.left', { count: left.length })}</summary>
      <DataTable
        caption={t('preview.left', { count: left.length })}
        columns={[
          {
            key: 'field',
            title: t('preview.field'),
            cell: ({ label, table, code }) => `${label} (${table === null ? code : `${table}.${code}`})`,
          },
          { key: 'reason', title: t('preview.reason'), cell: ({ why }) => t(`preview.why.${why}`), short: true },
        ]}
        rows={left}
        rowKey={({ pageId, table, code }) => `${pageId} ${table ?? ''}.${code}`}
      />
    </details>
  )
}
