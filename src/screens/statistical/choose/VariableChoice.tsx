import { MultiSelect, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Scale } from '#core/analysis/column.ts'
import { MOST_VARIABLES } from '#core/analysis/request.ts'
import type { AnalysisRequest } from '#core/analysis/request.ts'

import type { Chosen } from '../address.ts'
import classes from '../statistical.module.css'
import { scalesOf } from './offered.ts'
import type { OfferedVariable } from './offered.ts'

interface VariableChoiceProps {
  readonly variables: readonly OfferedVariable[]
  readonly request: AnalysisRequest
  readonly onChoose: (change: Partial<Chosen>) => void
}

/** The variables of an analysis, by what each of them is for. */
export function VariableChoice(props: VariableChoiceProps) {
  const { t } = useTranslation('statistical')
  const { request, onChoose } = props
  const { kind, variables } = request
  const choose = (at: number) => (name: string | null) =>
    onChoose({
      variables: (at === 0 ? [name, variables[1]] : [variables[0], name]).filter((one) => typeof one === 'string'),
    })
  return (
    <div className={classes.variables}>
      <p className={classes.ask}>{t(`ask.${kind}`)}</p>
      {(kind === 'describe' || kind === 'tableOne') && <Several {...props} />}
      {kind === 'compare' && <One {...props} label={t('choose.outcome')} value={variables[0]} onPick={choose(0)} />}
      {kind === 'change' && <One {...props} label={t('choose.follow')} value={variables[0]} onPick={choose(0)} />}
      {kind === 'relate' && (
        <>
          <One {...props} label={t('choose.first')} value={variables[0]} onPick={choose(0)} />
          <One {...props} label={t('choose.second')} value={variables[1]} onPick={choose(1)} />
        </>
      )}
      {kind === 'survival' && <Survival {...props} />}
      {kind !== 'relate' && <GroupSelect {...props} />}
    </div>
  )
}

function optionsOf(variables: readonly OfferedVariable[], scales: readonly Scale[]) {
  return variables
    .filter(({ scale }) => scales.includes(scale))
    .map(({ name, label, unit }) => ({
      value: name,
      label: `${label}${unit === null || unit === '' ? '' : ` (${unit})`} · ${name.replace('subjects.', '')}`,
    }))
}

function Several({ variables, request, onChoose }: VariableChoiceProps) {
  const { t } = useTranslation('statistical')
  const most = MOST_VARIABLES[request.kind]
  return (
    <MultiSelect
      size="md"
      classNames={{ pill: classes['chosen'] ?? '' }}
      searchable
      clearable
      label={t('choose.variables')}
      description={t('choose.variablesHint', { count: most })}
      placeholder={request.variables.length === 0 ? t('choose.search') : ''}
      maxValues={most}
      value={[...request.variables]}
      onChange={(next) => onChoose({ variables: next })}
      data={optionsOf(
        variables.filter(({ name }) => name !== request.group),
        scalesOf(request.kind),
      )}
      nothingFoundMessage={t('choose.nothing')}
    />
  )
}

interface OneProps extends VariableChoiceProps {
  readonly label: string
  readonly value: string | undefined
  readonly onPick: (name: string | null) => void
  readonly scales?: readonly Scale[]
}

function One({ variables, request, label, value, onPick, scales = scalesOf(request.kind) }: OneProps) {
  const { t } = useTranslation('statistical')
  return (
    <Select
      size="md"
      searchable
      label={label}
      placeholder={t('choose.search')}
      value={value ?? null}
      onChange={onPick}
      data={optionsOf(variables, scales)}
      nothingFoundMessage={t('choose.nothing')}
    />
  )
}

function Survival(props: VariableChoiceProps) {
  const { t } = useTranslation('statistical')
  const { variables, request, onChoose } = props
  const isDate = variables.some(({ name, scale }) => name === request.variables[0] && scale === 'date')
  const codes = variables.find(({ name }) => name === request.event)?.codes ?? []
  return (
    <>
      <One
        {...props}
        label={t('choose.time')}
        value={request.variables[0]}
        onPick={(name) => onChoose({ variables: name === null ? [] : [name] })}
      />
      {isDate && (
        <One
          {...props}
          label={t('choose.start')}
          value={request.start ?? undefined}
          scales={['date']}
          onPick={(name) => onChoose({ start: name })}
        />
      )}
      <One
        {...props}
        label={t('choose.event')}
        value={request.event ?? undefined}
        scales={['category']}
        onPick={(name) => onChoose({ event: name, eventCode: null })}
      />
      {codes.length > 0 && (
        <Select
          size="md"
          label={t('choose.eventCode')}
          allowDeselect={false}
          value={request.eventCode}
          onChange={(next) => onChoose({ eventCode: next })}
          data={codes.map(({ code, label }) => ({ value: code, label }))}
        />
      )}
    </>
  )
}

function GroupSelect({ variables, request, onChoose }: VariableChoiceProps) {
  const { t } = useTranslation('statistical')
  const isNeeded = request.kind === 'compare'
  const taken = [...request.variables, request.event, ...(request.kind === 'change' ? ['visit'] : [])]
  return (
    <Select
      size="md"
      searchable
      clearable={!isNeeded}
      label={t(isNeeded ? 'choose.by' : 'choose.group')}
      placeholder={isNeeded ? t('choose.search') : t('choose.none')}
      value={request.group}
      onChange={(next) => onChoose({ group: next })}
      data={optionsOf(
        variables.filter(({ name }) => !taken.includes(name)),
        ['category'],
      )}
      nothingFoundMessage={t('choose.nothing')}
    />
  )
}
