import { ActionIcon, MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Field } from '#core/form/definition/page.ts'
import type { Condition, Operand, Subject } from '#core/rules/conditions.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { NamePicker } from './NamePicker.tsx'
import { kindOfField, nameOf, operatorOf, operatorsOf, withField, withOperator } from './conditionKinds.ts'
import type { ConditionParts, FieldKind, Operator } from './conditionKinds.ts'
import { choicesOf } from './ruleNames.ts'
import classes from './rules.module.css'

interface ConditionRowProps extends ConditionParts {
  readonly no: number
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

/** One condition: a field, an operator, and a value of the right kind. */
export function ConditionRow({ no, condition, names, reader, canEdit, onChange, onRemove }: ConditionRowProps) {
  const { t } = useTranslation('rules')
  const name = nameOf(condition)
  const field = name === '' ? null : reader.fieldNamed(name)
  const kind = kindOfField(field)
  const label = t('conditions.no', { no })
  const operator = operatorOf(condition)
  const subject = 'of' in condition ? condition.of : null
  return (
    <fieldset className={classes.condition} aria-label={label}>
      <NamePicker
        label={label}
        names={names}
        value={name}
        disabled={!canEdit}
        onChange={(next) => onChange(withField(next, kindOfField(reader.fieldNamed(next))))}
      />
      {kind === 'date' && subject !== null && (
        <SubjectPicker {...{ label, subject, names, canEdit }} onChange={(of) => onChange(ofSubject(condition, of))} />
      )}
      {name !== '' && (
        <Select
          className={classes.operator ?? ''}
          aria-label={t('conditions.operator', { label })}
          data={operatorsOf(kind, condition).map((one) => ({
            value: one,
            label: t(`operators.${wordOf(one, kind === 'date' && subject?.kind === 'field')}`),
          }))}
          value={operator}
          allowDeselect={false}
          disabled={!canEdit}
          onChange={(next) => {
            const chosen = operatorsOf(kind, condition).find((one) => one === next)
            if (chosen !== undefined) onChange(withOperator(condition, chosen))
          }}
        />
      )}
      {name !== '' && (
        <Value
          {...{ condition, field, names, canEdit, onChange }}
          kind={subject !== null && subject.kind !== 'field' ? 'number' : kind}
          label={label}
        />
      )}
      {canEdit && (
        <ActionIcon
          size={36}
          variant="subtle"
          color="red.9"
          aria-label={t('conditions.remove', { label })}
          onClick={onRemove}
        >
          <IconTrash size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </fieldset>
  )
}

/** The label of an operator; dates use "before" and "after". */
function wordOf(operator: Operator, ofDates: boolean) {
  switch (operator) {
    case '==':
      return 'is'
    case '!=':
      return 'isNot'
    case '<':
      return ofDates ? 'before' : 'less'
    case '>':
      return ofDates ? 'after' : 'more'
    case '<=':
      return ofDates ? 'notAfter' : 'atMost'
    case '>=':
      return ofDates ? 'notBefore' : 'atLeast'
    case 'between':
    case 'oneOf':
    case 'noneOf':
    case 'includes':
    case 'excludes':
    case 'answered':
    case 'missing':
      return operator
  }
}

function ofSubject(condition: Condition, of: Subject): Condition {
  const compared: Condition =
    'of' in condition ? condition : { kind: 'compare', of, by: '>', to: { kind: 'text', text: '' } }
  // A number of days is not a date, so the value begins empty again.
  return compared.kind === 'between'
    ? { ...compared, of, from: NOTHING, to: NOTHING }
    : { kind: 'compare', by: compared.kind === 'compare' ? compared.by : '>', of, to: NOTHING }
}

const NOTHING: Operand = { kind: 'text', text: '' }

function SubjectPicker({
  label,
  subject,
  names,
  canEdit,
  onChange,
}: Pick<ConditionParts, 'names' | 'canEdit'> & {
  readonly label: string
  readonly subject: Subject
  readonly onChange: (subject: Subject) => void
}) {
  const { t } = useTranslation('rules')
  const from = subject.kind === 'field' ? subject.name : subject.from
  const to = subject.kind === 'field' ? 'today' : subject.to
  return (
    <>
      <Select
        className={classes.operator ?? ''}
        aria-label={t('conditions.subject', { label })}
        data={(['field', 'days', 'age'] as const).map((value) => ({ value, label: t(`subjects.${value}`) }))}
        value={subject.kind}
        allowDeselect={false}
        disabled={!canEdit}
        onChange={(next) =>
          onChange(next === 'days' || next === 'age' ? { kind: next, from, to } : { kind: 'field', name: from })
        }
      />
      {subject.kind !== 'field' && (
        <Other
          label={t('conditions.until', { label })}
          names={names}
          value={to}
          canEdit={canEdit}
          onChange={(next) => onChange({ ...subject, to: next })}
        />
      )}
    </>
  )
}

/** Another field, or today. */
function Other({
  label,
  names,
  value,
  canEdit,
  onChange,
}: Pick<ConditionParts, 'names' | 'canEdit'> & {
  readonly label: string
  readonly value: string
  readonly onChange: (name: string) => void
}) {
  const { t } = useTranslation('rules')
  return (
    <>
      <Select
        className={classes.where ?? ''}
        aria-label={label}
        data={[
          { value: 'today', label: t('operands.today') },
          { value: 'field', label: t('operands.field') },
        ]}
        value={value === 'today' ? 'today' : 'field'}
        allowDeselect={false}
        disabled={!canEdit}
        onChange={(next) => onChange(next === 'today' ? 'today' : '')}
      />
      {value !== 'today' && (
        <NamePicker label={label} names={names} value={value} disabled={!canEdit} onChange={onChange} />
      )}
    </>
  )
}

interface ValueProps extends Pick<ConditionParts, 'names' | 'canEdit'> {
  readonly label: string
  readonly condition: Condition
  readonly kind: FieldKind
  readonly field: Field | null
  readonly onChange: (condition: Condition) => void
}

function Value({ label, condition, kind, field, names, canEdit, onChange }: ValueProps) {
  const { t } = useTranslation('rules')
  const language = useLanguage()
  const choices = field === null ? [] : choicesOf(field, language)
  const say = t('conditions.value', { label })
  const common = { kind, field, names, canEdit }
  switch (condition.kind) {
    case 'compare':
      return (
        <OperandBox {...common} label={say} value={condition.to} onChange={(to) => onChange({ ...condition, to })} />
      )
    case 'between':
      return (
        <>
          <OperandBox
            {...common}
            label={t('conditions.from', { label })}
            value={condition.from}
            onChange={(from) => onChange({ ...condition, from })}
          />
          <span>{t('conditions.and')}</span>
          <OperandBox
            {...common}
            label={t('conditions.to', { label })}
            value={condition.to}
            onChange={(to) => onChange({ ...condition, to })}
          />
        </>
      )
    case 'oneOf':
    case 'noneOf': {
      const set = (values: string[]) => onChange({ ...condition, values })
      const shared = {
        className: classes.value ?? '',
        'aria-label': say,
        value: [...condition.values],
        disabled: !canEdit,
        onChange: set,
      }
      return choices.length > 0 ? (
        <MultiSelect {...shared} data={withThose(choices, condition.values)} searchable limit={200} />
      ) : (
        <TagsInput {...shared} />
      )
    }
    case 'includes':
    case 'excludes':
      return (
        <Select
          className={classes.value ?? ''}
          aria-label={say}
          data={withThose(choices, condition.value === '' ? [] : [condition.value])}
          value={condition.value === '' ? null : condition.value}
          searchable
          limit={200}
          disabled={!canEdit}
          onChange={(value) => onChange({ ...condition, value: value ?? '' })}
        />
      )
    case 'answered':
    case 'missing':
      return null
  }
}

/** The choices, and those that the rule still names although the field does not have them any more. */
function withThose(
  choices: readonly { readonly value: string; readonly label: string }[],
  values: readonly string[],
): { value: string; label: string }[] {
  const gone = [...new Set(values)].filter((value) => !choices.some((choice) => choice.value === value))
  return [
    ...choices.map(({ value, label }) => ({ value, label: `${label} (${value})` })),
    ...gone.map((value) => ({ value, label: value })),
  ]
}

interface OperandBoxProps extends Pick<ConditionParts, 'names' | 'canEdit'> {
  readonly label: string
  readonly kind: FieldKind
  readonly field: Field | null
  readonly value: Operand
  readonly onChange: (value: Operand) => void
}

/** A value of the right kind, or another field. */
function OperandBox({ label, kind, field, value, names, canEdit, onChange }: OperandBoxProps) {
  const { t } = useTranslation('rules')
  const language = useLanguage()
  const source = value.kind !== 'field' ? 'value' : value.name === 'today' || value.name === 'now' ? 'today' : 'field'
  const sources = ['value', 'field', ...(kind === 'date' ? ['today'] : [])] as ('value' | 'field' | 'today')[]
  const blank: Operand = { kind: 'text', text: '' }
  return (
    <>
      {kind !== 'choice' && (
        <Select
          className={classes.source ?? ''}
          aria-label={t('conditions.source', { label })}
          data={sources.map((one) => ({ value: one, label: t(`operands.${one}`) }))}
          value={source}
          allowDeselect={false}
          disabled={!canEdit}
          onChange={(next) =>
            onChange(
              next === 'today'
                ? { kind: 'field', name: 'today' }
                : next === 'field'
                  ? { kind: 'field', name: '' }
                  : blank,
            )
          }
        />
      )}
      {source === 'field' && (
        <NamePicker
          label={label}
          names={names}
          value={value.kind === 'field' ? value.name : ''}
          disabled={!canEdit}
          onChange={(name) => onChange({ kind: 'field', name })}
        />
      )}
      {source === 'value' && kind === 'number' && (
        <NumberInput
          className={classes.value ?? ''}
          aria-label={label}
          value={value.kind === 'number' ? value.number : ''}
          disabled={!canEdit}
          onChange={(next) =>
            onChange(next !== '' && Number.isFinite(Number(next)) ? { kind: 'number', number: Number(next) } : blank)
          }
        />
      )}
      {source === 'value' && kind === 'choice' && field !== null && (
        <Select
          className={classes.value ?? ''}
          aria-label={label}
          data={withThose(choicesOf(field, language), value.kind === 'text' && value.text !== '' ? [value.text] : [])}
          value={value.kind === 'text' && value.text !== '' ? value.text : null}
          searchable
          limit={200}
          disabled={!canEdit}
          onChange={(next) => onChange({ kind: 'text', text: next ?? '' })}
        />
      )}
      {source === 'value' && kind !== 'number' && kind !== 'choice' && (
        <TextInput
          className={classes.value ?? ''}
          aria-label={label}
          type={field?.type === 'date' ? 'date' : 'text'}
          value={value.kind === 'text' ? value.text : value.kind === 'number' ? String(value.number) : ''}
          disabled={!canEdit}
          onChange={(event) => onChange({ kind: 'text', text: event.currentTarget.value })}
        />
      )}
    </>
  )
}
