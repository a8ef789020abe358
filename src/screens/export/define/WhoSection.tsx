import { Checkbox, Group, Radio, Select, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { foundOf } from '#core/dataset/definition.ts'
import { dateFromTyping } from '#core/values/dates.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'

import classes from '../export.module.css'
import type { SectionProps } from './section.ts'
import { useDays } from './useDays.ts'

/** Whose data, of which versions, saved when. */
export function WhoSection(props: SectionProps) {
  const { definition, facts, put } = props
  const { t } = useTranslation('dataExport')
  const subjects = facts.centers.reduce((sum, center) => sum + center.subjects, 0)
  return (
    <Panel title={t('who.title')}>
      <Stack gap="md">
        <AllOrSome
          title={t('who.centers')}
          all={t('who.allCenters', { count: subjects })}
          some={t('who.someCenters')}
          options={facts.centers.map(({ id, code, name, subjects: count }) => ({
            id,
            label: t('who.center', { code, name, count }),
          }))}
          chosen={definition.centers}
          onChange={(centers) => put({ centers })}
        />
        <FoundBy {...props} />
        <AllOrSome
          title={t('who.versions')}
          all={t('who.allVersions')}
          some={t('who.someVersions')}
          options={facts.versions.map(({ id, no }) => ({ id, label: t('who.version', { no }) }))}
          chosen={definition.versions}
          onChange={(versions) => put({ versions })}
        />
        <Radio.Group
          size="md"
          label={t('who.entries')}
          value={definition.entries}
          onChange={(value) => put({ entries: value === 'all' ? 'all' : 'submitted' })}
        >
          <Group mt="xs">
            <Radio size="md" value="submitted" label={t('who.submitted')} />
            <Radio size="md" value="all" label={t('who.any')} />
          </Group>
        </Radio.Group>
        <Days {...props} />
        {facts.mayReadBothPasses && (
          <Radio.Group
            size="md"
            label={t('who.passes')}
            value={definition.passes}
            onChange={(value) => put({ passes: value === 'both' ? 'both' : 'first' })}
          >
            <Group mt="xs">
              <Radio size="md" value="first" label={t('who.first')} />
              <Radio size="md" value="both" label={t('who.both')} />
            </Group>
          </Radio.Group>
        )}
        <Text size="sm" c="dimmed">
          {t('who.noTest')}
        </Text>
      </Stack>
    </Panel>
  )
}

/** Stands for a search that is kept no more, or was changed since it was chosen. */
const KEPT = 'kept'

/** By which kept search the subjects are found; nothing where there is none to choose. */
function FoundBy({ definition, facts: { searches }, put }: SectionProps) {
  const { t } = useTranslation('dataExport')
  const found = foundOf(definition)
  if (searches.length === 0 && found === null) return null
  const asked = JSON.stringify(found?.condition)
  const chosen = searches.find(({ condition }) => JSON.stringify(condition) === asked)
  const choose = (id: string | null) => {
    if (id === KEPT) return
    const search = searches.find((one) => one.id === id)
    put({ found: search === undefined ? null : { name: search.name, condition: search.condition } })
  }
  return (
    <Select
      size="md"
      maw={480}
      clearable
      label={t('who.found')}
      description={t('who.foundHint')}
      placeholder={t('who.everybody')}
      value={found === null ? null : (chosen?.id ?? KEPT)}
      data={[
        ...(found === null || chosen !== undefined
          ? []
          : [{ value: KEPT, label: t('who.foundKept', { name: found.name }) }]),
        ...searches.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={choose}
    />
  )
}

interface AllOrSomeProps {
  readonly title: string
  readonly all: string
  readonly some: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
  /** Null for all. */
  readonly chosen: readonly string[] | null
  readonly onChange: (chosen: string[] | null) => void
}

function AllOrSome({ title, all, some, options, chosen, onChange }: AllOrSomeProps) {
  const choose = (ids: readonly string[]) => onChange(options.flatMap(({ id }) => (ids.includes(id) ? [id] : [])))
  return (
    <>
      <Radio.Group
        size="md"
        label={title}
        value={chosen === null ? 'all' : 'some'}
        onChange={(value) => (value === 'all' ? onChange(null) : choose(options.map(({ id }) => id)))}
      >
        <Group mt="xs">
          <Radio size="md" value="all" label={all} />
          <Radio size="md" value="some" label={some} />
        </Group>
      </Radio.Group>
      {chosen !== null && (
        <Checkbox.Group size="md" aria-label={some} value={[...chosen]} onChange={choose}>
          <Group>
            {options.map(({ id, label }) => (
              <Checkbox key={id} size="md" value={id} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </>
  )
}

/** The days between which a page was last saved. */
function Days({ definition, put }: SectionProps) {
  const { t } = useTranslation('dataExport')
  const [from, setFrom] = useDays(definition.savedFrom, (savedFrom) => put({ savedFrom }))
  const [to, setTo] = useDays(definition.savedTo, (savedTo) => put({ savedTo }))
  const isWrong =
    definition.savedFrom !== null && definition.savedTo !== null && definition.savedFrom > definition.savedTo
  return (
    <Named title={t('who.saved')} hint={t('who.savedHint')}>
      <DayInput label={t('who.from')} value={from} onChange={setFrom} error={isDay(from) ? null : t('who.notDay')} />
      <DayInput
        label={t('who.to')}
        value={to}
        onChange={setTo}
        error={isWrong ? t('who.order') : isDay(to) ? null : t('who.notDay')}
      />
    </Named>
  )
}

/** Whether a box is empty or holds a day, as it is typed or in another way of writing it. */
function isDay(typed: string): boolean {
  return typed.trim() === '' || dateFromTyping(typed) !== null
}

interface NamedProps {
  readonly title: string
  readonly hint: string
  readonly children: ReactNode
}

function Named({ title, hint, children }: NamedProps) {
  return (
    <fieldset className={classes.named}>
      <legend className={classes.label}>{title}</legend>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      <Group align="flex-start">{children}</Group>
    </fieldset>
  )
}
