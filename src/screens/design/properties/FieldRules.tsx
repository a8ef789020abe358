import { Button, Stack, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design, DesignColumn } from '#core/design/design.ts'
import type { DesignFieldKey, Patch } from '#core/design/designEdit.ts'
import type { CheckRule } from '#core/form/definition/column.ts'
import { newId } from '#core/ids.ts'
import type { RuleExpectation, RuleProblem } from '#core/rules/problem.ts'
import { checksOf, extensionOf, labelIn } from '#src/screens/design/columns.ts'
import classes from '#src/screens/design/design.module.css'
import { ruleReader } from '#src/screens/design/ruleReader.ts'
import { useRuleWords } from '#src/screens/design/ruleWords.ts'

import { CheckWords } from './CheckWords.tsx'

interface FieldRulesProps {
  readonly design: Design
  readonly field: DesignFieldKey
  readonly column: DesignColumn
  readonly extend: (patch: Patch) => void
}

const ROLES = [
  { role: 'show', expected: 'bool' },
  { role: 'require', expected: 'bool' },
  { role: 'readOnlyWhen', expected: 'bool' },
  { role: 'calculate', expected: 'value' },
] as const satisfies readonly { readonly role: string; readonly expected: RuleExpectation }[]

/** The rules of a field as CEL, each checked while it is typed. */
export function FieldRules({ design, field, column, extend }: FieldRulesProps) {
  const { t } = useTranslation('design')
  // Rules are checked over all pages. The reader for that is made only for a new design, not for each key.
  const reader = useMemo(() => ruleReader(design, field), [design, field])
  const own = extensionOf(column)
  const checks = useChecks(column, extend)
  return (
    <Stack gap="sm">
      {ROLES.map(({ role, expected }) => (
        <RuleBox
          key={role}
          label={t(`props.${role}`)}
          value={own[role] ?? ''}
          problem={(text) => reader(text, expected)}
          onChange={(next) => extend({ [role]: next })}
        />
      ))}
      <p className={classes.groupTitle}>{t('props.checks')}</p>
      {checks.shown.map((check, at) => (
        <CheckProperties
          key={check.id}
          no={at + 1}
          check={check}
          isInDesign={checks.isInDesign(at)}
          problem={(text) => reader(text, 'bool')}
          onChange={(patch) => checks.change(at, patch)}
          onRemove={() => checks.remove(at)}
        />
      ))}
      <Button
        size="xs"
        h={36}
        variant="light"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        disabled={checks.isBegun}
        onClick={checks.begin}
      >
        {t('props.addCheck')}
      </Button>
    </Stack>
  )
}

/** The checks of a field. A check that was begun and has no text yet comes last, and is not part of the design. */
function useChecks(column: DesignColumn, extend: (patch: Patch) => void) {
  const { t } = useTranslation('design')
  const checks = checksOf(column)
  const [begun, setBegun] = useState<string | null>(null)
  const isBegun = begun !== null && !checks.some(({ id }) => id === begun)
  const fresh: CheckRule = {
    id: begun ?? '',
    when: '',
    severity: 'error',
    message: { zh: t('props.checkMessage', { field: labelIn(column, 'zh') || column.prop }) },
  }
  const isInDesign = (at: number): boolean => at < checks.length
  const change = (at: number, patch: Partial<CheckRule>): void => {
    if (isInDesign(at))
      return extend({ checks: checks.map((check, index) => (index === at ? { ...check, ...patch } : check)) })
    if (patch.when !== undefined && patch.when.trim() !== '') extend({ checks: [...checks, { ...fresh, ...patch }] })
  }
  const remove = (at: number): void => {
    if (!isInDesign(at)) setBegun(null)
    else extend({ checks: checks.length === 1 ? undefined : checks.filter((_, index) => index !== at) })
  }
  return {
    shown: isBegun ? [...checks, fresh] : checks,
    isBegun,
    isInDesign,
    begin: () => setBegun(newId()),
    change,
    remove,
  }
}

interface CheckPropertiesProps {
  readonly no: number
  readonly check: CheckRule
  /** Whether the check has a text already: only then its severity and message can be set. */
  readonly isInDesign: boolean
  readonly problem: (text: string) => RuleProblem | null
  readonly onChange: (patch: Partial<CheckRule>) => void
  readonly onRemove: () => void
}

/** One check: its condition, its severity and its message. */
function CheckProperties({ no, check, isInDesign, problem, onChange, onRemove }: CheckPropertiesProps) {
  const { t } = useTranslation('design')
  return (
    <fieldset className={classes.check}>
      <legend className={classes.choicesTitle}>{`${t('props.checks')} ${no}`}</legend>
      <RuleBox
        label={t('props.when')}
        value={check.when}
        filled
        problem={problem}
        onChange={(when) => onChange({ when })}
      />
      {isInDesign && <CheckWords check={check} onChange={onChange} />}
      <Button size="xs" h={36} variant="subtle" color="red.9" onClick={onRemove}>
        {t('props.removeCheck', { no })}
      </Button>
    </fieldset>
  )
}

interface RuleBoxProps {
  readonly label: string
  readonly value: string
  /** Whether a text is required: while the box is empty, the old text stays. */
  readonly filled?: boolean
  readonly problem: (text: string) => RuleProblem | null
  readonly onChange: (text: string) => void
}

function RuleBox({ label, value, filled = false, problem, onChange }: RuleBoxProps) {
  const { t } = useTranslation('design')
  const words = useRuleWords()
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  const wrong = shown === '' ? null : problem(shown)
  const missing = filled && shown.trim() === ''
  return (
    <Textarea
      label={label}
      placeholder={t('props.expression')}
      value={shown}
      autosize
      minRows={1}
      maxRows={8}
      spellCheck={false}
      error={missing ? t('filled') : wrong === null ? undefined : words(wrong)}
      classNames={{ input: classes.code ?? '' }}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyped(next)
        if (!filled || next.trim() !== '') onChange(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
