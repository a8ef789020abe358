import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { MigrationPlan, PlanLine } from '#core/api/calls/migration.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import type { ChoiceMapping, FieldMapping, MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { NO_MAPPINGS } from '#core/study/migration/migrationMappings.ts'
import { useServerQuery } from '#src/data/server.ts'
import { TitledTable } from '#src/ui/lists/TitledTable.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { ReleaseDryRun } from './ReleaseDryRun.tsx'
import classes from './release.module.css'

interface ReleaseMigrationProps {
  readonly projectId: string
  readonly crfId: string
  /** Null until the proposed mappings are known. */
  readonly mappings: MigrationMappings | null
  readonly onMap: (mappings: MigrationMappings) => void
}

type PartProps = Omit<ReleaseMigrationProps, 'mappings'> & {
  readonly mappings: MigrationMappings
  readonly plan: MigrationPlan
}

/**
 * What a release does to entered data: the plan for fields and choices, where a person maps renamed ones, and a dry run
 * on the real data.
 */
export function ReleaseMigration(props: ReleaseMigrationProps) {
  const { projectId, crfId, mappings } = props
  const { t } = useTranslation('versions')
  const plan = useServerQuery('version.migrationPlan', {
    query: { crfId },
    body: { mappings: mappings ?? NO_MAPPINGS },
    projectId,
  })
  return (
    <section aria-label={t('migration.title')}>
      <h3 className={classes.title}>{t('migration.title')}</h3>
      <Loaded of={plan} rows={3}>
        {(found) =>
          found.from === null || found.patients === 0 ? (
            <Text>{t('migration.nothing')}</Text>
          ) : mappings === null ? (
            <Proposed proposed={found.proposed} onMap={props.onMap} />
          ) : (
            <Planned {...props} mappings={mappings} plan={found} />
          )
        }
      </Loaded>
    </section>
  )
}

/** Begins with the renames that designers made. */
function Proposed({
  proposed,
  onMap,
}: {
  readonly proposed: MigrationMappings
  readonly onMap: (mappings: MigrationMappings) => void
}) {
  useEffect(() => onMap(proposed), [proposed, onMap])
  return null
}

function Planned({ plan, ...props }: PartProps) {
  const names = useNames()
  const { t } = useTranslation('versions')
  const count = (kind: PlanLine['kind']) => String(plan.lines.filter((line) => line.kind === kind).length)
  const open = plan.lines.filter((line) => freshFor(plan, line).length > 0)
  const gone = goneChoices(plan)
  return (
    <Stack>
      <Text>{t('migration.text', { count: plan.patients, from: plan.from?.versionNoDesc ?? '' })}</Text>
      {open.length + gone.length > 0 && (
        <section className={classes.decide} aria-label={t('migration.decide')}>
          <h4 className={classes.decideTitle}>{t('migration.decideCount', { count: open.length + gone.length })}</h4>
          <Text size="sm">{t('migration.decideText')}</Text>
          <Retired plan={plan} retired={open} {...props} />
          <Choices plan={plan} gone={gone} {...props} />
        </section>
      )}
      <Said plan={plan} {...props} />
      <FactList
        pairs
        facts={[
          [t('migration.kinds.mapped'), count('mapped')],
          [t('migration.kinds.converted'), count('converted')],
          [t('migration.kinds.retired'), count('retired')],
          [t('migration.kinds.new'), count('new')],
          [t('migration.renamed'), String(plan.proposed.fields.length + plan.proposed.choices.length)],
        ]}
      />
      {plan.archived.length > 0 && (
        <Note tone="warning" title={t('migration.archived')}>
          {plan.archived.map((page) => names.place(page)).join('、')}
        </Note>
      )}
      <ReleaseDryRun key={JSON.stringify(props.mappings)} plan={plan} {...props} />
    </Stack>
  )
}

/** The new fields to which a retired one may be mapped: those of its page, or of its table. */
function freshFor({ lines }: MigrationPlan, line: PlanLine): readonly PlanLine[] {
  return line.kind !== 'retired'
    ? []
    : lines.filter(({ kind, pageId, table }) => kind === 'new' && pageId === line.pageId && table === line.table)
}

interface GoneChoice {
  readonly line: PlanLine
  readonly choice: PlanLine['choices'][number]
}

/** Choices that no longer exist, of fields that offer others. */
function goneChoices({ lines }: MigrationPlan): readonly GoneChoice[] {
  return lines.flatMap((line) =>
    line.offered.length === 0 ? [] : line.choices.filter(({ by }) => by === 'none').map((choice) => ({ line, choice })),
  )
}

/** The label of a field in the reader's language, with its code. */
function useFieldName(): (line: Pick<PlanLine, 'label' | 'labelEn' | 'code' | 'table'>) => string {
  const language = useLanguage()
  return ({ label, labelEn, code, table }) =>
    `${inLanguage(language, label, labelEn)} ${table === null ? code : `${table}.${code}`}`
}

const fieldKeyOf = ({ pageId, table, code }: Pick<PlanLine, 'pageId' | 'table' | 'code'>) =>
  `${pageId} ${table ?? ''} ${code}`

/** Fields that no longer exist. Their values become retired values, unless a person maps the field to a new one. */
function Retired({ plan, retired, mappings, onMap }: PartProps & { readonly retired: readonly PlanLine[] }) {
  const names = useNames()
  const nameOf = useFieldName()
  const { t } = useTranslation('versions')
  if (retired.length === 0) return null
  const choose = ({ pageId, table, code }: PlanLine, to: string) => {
    if (to !== '') onMap({ ...mappings, fields: [...mappings.fields, { pageId, table, from: code, to }] })
  }
  return (
    <TitledTable
      caption={t('migration.retired')}
      rows={retired}
      rowKey={fieldKeyOf}
      columns={[
        { key: 'page', title: t('migration.columns.page'), cell: (line) => names.page(line) },
        { key: 'field', title: t('migration.columns.field'), cell: (line) => nameOf(line) },
        {
          key: 'to',
          title: t('migration.columns.to'),
          cell: (line) => {
            const data = [
              { value: '', label: t('migration.stays') },
              ...freshFor(plan, line).map((one) => ({ value: one.code, label: nameOf(one) })),
            ]
            return (
              <NativeSelect
                aria-label={t('migration.toOf', { field: nameOf(line) })}
                value=""
                onChange={(event) => choose(line, event.currentTarget.value)}
                data={data}
              />
            )
          },
        },
      ]}
    />
  )
}

/**
 * Choices that no longer exist. Their values stay as they are, to be corrected later, unless a person maps the choice
 * to a new one.
 */
function Choices({ gone, mappings, onMap }: PartProps & { readonly gone: readonly GoneChoice[] }) {
  const names = useNames()
  const nameOf = useFieldName()
  const { t } = useTranslation('versions')
  if (gone.length === 0) return null
  const choose = ({ pageId, table, code }: PlanLine, from: string, to: string) => {
    if (to !== '') onMap({ ...mappings, choices: [...mappings.choices, { pageId, table, code, from, to }] })
  }
  return (
    <TitledTable
      caption={t('migration.choices')}
      rows={gone}
      rowKey={({ line, choice }) => `${fieldKeyOf(line)} ${choice.value}`}
      columns={[
        { key: 'page', title: t('migration.columns.page'), cell: ({ line }) => names.page(line) },
        { key: 'field', title: t('migration.columns.field'), cell: ({ line }) => nameOf(line) },
        {
          key: 'choice',
          title: t('migration.columns.choice'),
          cell: ({ choice }) => `${choice.label} ${choice.value}`,
        },
        {
          key: 'to',
          title: t('migration.columns.to'),
          cell: ({ line, choice }) => (
            <NativeSelect
              aria-label={t('migration.toOf', { field: `${nameOf(line)} ${choice.label}` })}
              value=""
              onChange={(event) => choose(line, choice.value, event.currentTarget.value)}
              data={[
                { value: '', label: t('migration.unconverted') },
                ...line.offered.map(({ value, label }) => ({ value, label: `${label} ${value}` })),
              ]}
            />
          ),
        },
      ]}
    />
  )
}

/** The mappings so far; each can be removed again. */
function Said({ plan, mappings, onMap }: PartProps) {
  const names = useNames()
  const { t } = useTranslation('versions')
  const pageName = (pageId: string) => {
    const line = plan.lines.find((one) => one.pageId === pageId)
    return line === undefined ? '' : names.page(line)
  }
  const withTable = (table: string | null, code: string) => (table === null ? code : `${table}.${code}`)
  const field = ({ pageId, table, from, to }: FieldMapping) => `${pageName(pageId)} · ${withTable(table, from)} → ${to}`
  const choice = ({ pageId, table, code, from, to }: ChoiceMapping) =>
    `${pageName(pageId)} · ${withTable(table, code)}: ${from} → ${to}`
  const said = [
    ...mappings.fields.map((one) => ({
      name: field(one),
      without: { ...mappings, fields: mappings.fields.filter((other) => other !== one) },
    })),
    ...mappings.choices.map((one) => ({
      name: choice(one),
      without: { ...mappings, choices: mappings.choices.filter((other) => other !== one) },
    })),
  ]
  if (said.length === 0) return null
  return (
    <section aria-label={t('migration.said')}>
      <h4>{t('migration.said')}</h4>
      {said.map(({ name, without }) => (
        <Group key={name} gap="xs">
          <Text>{name}</Text>
          <Button
            className={classes.act}
            variant="subtle"
            aria-label={t('migration.takeBackOf', { what: name })}
            onClick={() => onMap(without)}
          >
            {t('migration.takeBack')}
          </Button>
        </Group>
      ))}
    </section>
  )
}
