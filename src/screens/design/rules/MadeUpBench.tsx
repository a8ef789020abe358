import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconBell, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Field } from '#core/form/definition/page.ts'
import { canonicalValue, valueKind, valueText } from '#core/form/definition/value.ts'
import { isSeenByRules } from '#core/form/engine/issue.ts'
import type { JsonValue } from '#core/json.ts'
import type { RuleNames } from '#core/rules/complete.ts'
import { TOO_MUCH_WORK } from '#core/rules/rule.ts'
import type { Rule, RuleOutcome } from '#core/rules/rule.ts'
import { namesRead, tryRule } from '#core/rules/tryRule.ts'
import { toCel } from '#core/rules/values.ts'
import type { CelValue } from '#core/rules/values.ts'
import type { RuleKind } from '#core/wire/ruleRoles.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { FieldRuleReader } from '../ruleReader.ts'
import { choicesOf, wordsOf } from './ruleNames.ts'
import classes from './rules.module.css'

interface MadeUpBenchProps {
  readonly rule: Rule
  readonly kind: RuleKind
  readonly names: RuleNames
  readonly reader: FieldRuleReader
}

/** Tries a rule on values that a person makes up, with the result as they type. An empty value counts as missing. */
export function MadeUpBench({ rule, kind, names, reader }: MadeUpBenchProps) {
  const { t } = useTranslation('rules')
  const [typed, setTyped] = useState<Readonly<Record<string, string | string[]>>>({})
  const [day, setDay] = useState('')
  const reads = namesRead(rule)
  const own = { page: t('pick.page'), row: t('pick.row'), visit: t('pick.sameVisit') }
  const values = new Map(
    reads.flatMap((name): readonly (readonly [string, CelValue])[] =>
      valueOf(name, typed[name], reader.fieldNamed(name)),
    ),
  )
  const [now] = useState(() => new Date())
  const today = /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : dayOf(now)
  const outcome = tryRule(rule, values, { today, now: `${today} ${fullTime(now.toISOString()).slice(11)}` })
  return (
    <div className={classes.bench}>
      <div className={classes.inputs}>
        {reads.length === 0 && <p className={classes.hint}>{t('bench.readsNothing')}</p>}
        {reads.map((name) => (
          <MadeUpValue
            key={name}
            label={wordsOf(name, names, own)}
            name={name}
            field={reader.fieldNamed(name)}
            value={typed[name] ?? ''}
            onChange={(next) => setTyped({ ...typed, [name]: next })}
          />
        ))}
        {rule.readsClock && (
          <TextInput
            type="date"
            label={t('operands.today')}
            value={day === '' ? today : day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        )}
      </div>
      <Outcome outcome={outcome} kind={kind} say={(path) => wordsOf(nameOfMissing(path), names, own)} />
    </div>
  )
}

/** A rule names missing fields of its own page by their code only. */
function nameOfMissing(path: string): string {
  return path.includes('.') ? path : `page.${path}`
}

function valueOf(
  name: string,
  typed: string | string[] | undefined,
  field: Field | null,
): readonly (readonly [string, CelValue])[] {
  if (field === null || typed === undefined || typed.length === 0) return []
  const value: JsonValue | null = canonicalValue(field, typed)
  const seen = value === null || !isSeenByRules(field, value) ? null : toCel(value)
  return seen === null ? [] : [[name, seen]]
}

interface MadeUpValueProps {
  readonly label: string
  readonly name: string
  readonly field: Field | null
  readonly value: string | string[]
  readonly onChange: (value: string | string[]) => void
}

function MadeUpValue({ label, name, field, value, onChange }: MadeUpValueProps) {
  const { t } = useTranslation('rules')
  const language = useLanguage()
  if (field === null) return null
  const common = { label, description: name }
  const choices = choicesOf(field, language).map((one) => ({ value: one.value, label: `${one.label} (${one.value})` }))
  switch (valueKind(field)) {
    case 'number':
      return (
        <TextInput
          {...common}
          inputMode="decimal"
          placeholder={t('bench.missing')}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'text':
      if (choices.length > 0)
        return (
          <Select
            {...common}
            data={choices}
            searchable
            limit={200}
            clearable
            placeholder={t('bench.missing')}
            value={value === '' ? null : String(value)}
            onChange={(next) => onChange(next ?? '')}
          />
        )
      return (
        <TextInput
          {...common}
          type={field.type === 'date' ? 'date' : 'text'}
          placeholder={t('bench.missing')}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'texts':
    case 'numbers': {
      const several = Array.isArray(value) ? value : []
      return choices.length > 0 ? (
        <MultiSelect {...common} data={choices} searchable limit={200} clearable value={several} onChange={onChange} />
      ) : (
        <TagsInput {...common} value={several} onChange={onChange} />
      )
    }
    case 'paths':
    case 'files':
    case 'rows':
      return <p className={classes.hint}>{t('bench.cannot', { field: label })}</p>
  }
}

const ICONS = { fires: IconBell, silent: IconCircleCheck, unknown: IconHelpCircle, fault: IconAlertTriangle } as const

/** The result of the rule, in the words of its kind. */
function Outcome({
  outcome,
  kind,
  say,
}: {
  readonly outcome: RuleOutcome
  readonly kind: RuleKind
  readonly say: (name: string) => string
}) {
  const { t } = useTranslation('rules')
  const came =
    outcome.kind !== 'value' ? outcome.kind : kind === 'calculate' || outcome.value === true ? 'fires' : 'silent'
  const Icon = ICONS[came]
  const words =
    outcome.kind === 'unknown'
      ? `${outcome.missing.length === 0 ? t('outcome.noAnswer') : t('outcome.unknown', { fields: outcome.missing.map(say).join(t('outcome.and')) })} ${t(`outcome.then.${kind}`)}`
      : outcome.kind === 'fault'
        ? outcome.code === TOO_MUCH_WORK
          ? t('outcome.tooMuchWork')
          : t('outcome.fault', { code: outcome.code })
        : kind === 'calculate'
          ? t('outcome.calculated', { value: valueText(outcome.value) })
          : t(`outcome.${came === 'fires' ? 'yes' : 'no'}.${kind}`)
  return (
    <output className={classes.outcome} data-came={came}>
      <Icon size={22} aria-hidden="true" /> <span>{words}</span>
    </output>
  )
}
