import { Button, Stack, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design, DesignColumn } from '#core/design/design.ts'
import type { FieldAddress, Patch } from '#core/design/designEdit.ts'
import type { CheckRule } from '#core/form/definition/column.ts'
import { newId } from '#core/ids.ts'
import type { RuleExpectation, RuleProblem } from '#core/rules/problem.ts'
import { checksOf, extensionOf, labelIn } from '#src/screens/design/columns.ts'
import classes from '#src/screens/design/design.module.css'
import { ruleReader } from '#src/screens/design/ruleReader.ts'
import { useRuleWords } from '#src/screens/design/ruleWords.ts'

import { ChoiceProperty, FilledProperty, TextProperty } from './inputs.tsx'

interface FieldRulesProps {
  readonly design: Design
  readonly field: FieldAddress
  readonly column: DesignColumn
  readonly extend: (patch: Patch) => void
}

const ROLES = [
  { role: 'show', expected: 'bool' },
  { role: 'require', expected: 'bool' },
  { role: 'readOnlyWhen', expected: 'bool' },
  { role: 'calculate', expected: 'value' },
] as const satisfies readonly { readonly role: string; readonly expected: RuleExpectation }[]

/** The rules of a field as CEL, each read as it is typed. */
export function FieldRules({ design, field, column, extend }: FieldRulesProps) {
  const { t } = useTranslation('design')
  // Rules are read over all pages: that is done anew when the design is another, not at every key of one rule.
  const reader = useMemo(() => ruleReader(design, field), [design, field])
  const own = extensionOf(column)
  const checks = checksOf(column)
  // A check that was begun and says nothing yet is in no design.
  const [begun, setBegun] = useState<string | null>(null)
  const isBegun = begun !== null && !checks.some(({ id }) => id === begun)
  const fresh: CheckRule = {
    id: begun ?? '',
    when: '',
    severity: 'error',
    message: { zh: t('props.checkMessage', { field: labelIn(column, 'zh') || column.prop }) },
  }
  const setCheck = (at: number, patch: Partial<CheckRule>) => {
    if (at < checks.length)
      return extend({ checks: checks.map((check, index) => (index === at ? { ...check, ...patch } : check)) })
    if (patch.when !== undefined && patch.when.trim() !== '') extend({ checks: [...checks, { ...fresh, ...patch }] })
  }
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
      {[...checks, ...(isBegun ? [fresh] : [])].map((check, at) => (
        <fieldset key={check.id} className={classes.check}>
          <legend className={classes.choicesTitle}>{`${t('props.checks')} ${at + 1}`}</legend>
          <RuleBox
            label={t('props.when')}
            value={check.when}
            filled
            problem={(text) => reader(text, 'bool')}
            onChange={(when) => setCheck(at, { when })}
          />
          {at < checks.length && (
            <>
              <ChoiceProperty
                label={t('props.severity')}
                value={check.severity}
                options={(['error', 'warning', 'query'] as const).map((value) => ({
                  value,
                  label: t(`props.severities.${value}`),
                }))}
                onChange={(severity) => setCheck(at, { severity })}
              />
              <FilledProperty
                label={t('props.message')}
                value={check.message.zh}
                max={2000}
                onChange={(zh) => setCheck(at, { message: { ...check.message, zh } })}
              />
              <TextProperty
                label={t('props.messageEn')}
                value={check.message.en ?? ''}
                onChange={(en) =>
                  setCheck(at, { message: en === '' ? { zh: check.message.zh } : { zh: check.message.zh, en } })
                }
              />
            </>
          )}
          <Button
            size="xs"
            h={36}
            variant="subtle"
            color="red.9"
            onClick={() =>
              at < checks.length
                ? extend({ checks: checks.length === 1 ? undefined : checks.filter((_, index) => index !== at) })
                : setBegun(null)
            }
          >
            {t('props.removeCheck', { no: at + 1 })}
          </Button>
        </fieldset>
      ))}
      <Button
        size="xs"
        h={36}
        variant="light"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        disabled={isBegun}
        onClick={() => setBegun(newId())}
      >
        {t('props.addCheck')}
      </Button>
    </Stack>
  )
}

interface RuleBoxProps {
  readonly label: string
  readonly value: string
  /** Whether there must be one: while the box is empty what it was stays. */
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
