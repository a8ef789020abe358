import { ActionIcon, Button, NumberInput, Select } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Calculation } from '#core/rules/calculations.ts'
import { CALCULATIONS_OF_MANY, CALCULATIONS_OF_TWO } from '#core/rules/calculations.ts'
import type { RuleNames } from '#core/rules/complete.ts'

import { NamePicker } from './NamePicker.tsx'
import classes from './rules.module.css'

interface CalculationEditorProps {
  readonly calculation: Calculation | null
  readonly names: RuleNames
  readonly canEdit: boolean
  readonly onChange: (calculation: Calculation) => void
}

/** A calculation: its kind, its fields, and its rounding. */
export function CalculationEditor({ calculation, names, canEdit, onChange }: CalculationEditorProps) {
  const { t } = useTranslation('rules')
  const kinds = [...CALCULATIONS_OF_MANY, ...CALCULATIONS_OF_TWO]
  const of =
    calculation === null ? [] : 'names' in calculation ? calculation.names : [calculation.first, calculation.second]
  const digits = calculation?.digits ?? null
  return (
    <div className={classes.group}>
      <Select
        label={t('calculation.kind')}
        placeholder={t('calculation.choose')}
        data={kinds.map((value) => ({ value, label: t(`calculations.${value}`) }))}
        value={calculation?.kind ?? null}
        allowDeselect={false}
        disabled={!canEdit}
        onChange={(next) => {
          const many = CALCULATIONS_OF_MANY.find((one) => one === next)
          const two = CALCULATIONS_OF_TWO.find((one) => one === next)
          if (many !== undefined) onChange({ kind: many, names: of.length === 0 ? [''] : of, digits })
          else if (two !== undefined) onChange({ kind: two, first: of[0] ?? '', second: of[1] ?? '', digits })
        }}
      />
      {calculation !== null && 'names' in calculation && (
        <FieldsOfMany calculation={calculation} names={names} canEdit={canEdit} onChange={onChange} />
      )}
      {calculation !== null && 'first' in calculation && (
        <FieldsOfTwo calculation={calculation} names={names} canEdit={canEdit} onChange={onChange} />
      )}
      {calculation !== null && (
        <NumberInput
          className={classes.digits ?? ''}
          label={t('calculation.digits')}
          placeholder={t('calculation.notRounded')}
          min={0}
          max={15}
          allowDecimal={false}
          value={calculation.digits ?? ''}
          disabled={!canEdit}
          onChange={(next) => onChange({ ...calculation, digits: typeof next === 'number' ? next : null })}
        />
      )}
    </div>
  )
}

interface FieldsProps<Of extends Calculation> extends Omit<CalculationEditorProps, 'calculation'> {
  readonly calculation: Of
}

/** The fields of a calculation that takes any number of them. */
function FieldsOfMany({
  calculation,
  names,
  canEdit,
  onChange,
}: FieldsProps<Extract<Calculation, { readonly names: unknown }>>) {
  const { t } = useTranslation('rules')
  return (
    <>
      {calculation.names.map((name, at) => {
        const label = t('calculation.no', { no: at + 1 })
        return (
          // The operands are names in fixed places, and the same name may appear twice, so the place is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <fieldset key={at} className={classes.condition} aria-label={label}>
            <NamePicker
              label={label}
              names={names}
              value={name}
              disabled={!canEdit}
              onChange={(next) => onChange({ ...calculation, names: calculation.names.with(at, next) })}
            />
            {canEdit && calculation.names.length > 1 && (
              <ActionIcon
                size={36}
                variant="subtle"
                color="red.9"
                aria-label={t('conditions.remove', { label })}
                onClick={() =>
                  onChange({ ...calculation, names: calculation.names.filter((_, index) => index !== at) })
                }
              >
                <IconTrash size={18} aria-hidden="true" />
              </ActionIcon>
            )}
          </fieldset>
        )
      })}
      {canEdit && (
        <Button
          size="xs"
          h={36}
          variant="light"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => onChange({ ...calculation, names: [...calculation.names, ''] })}
        >
          {t('calculation.add')}
        </Button>
      )}
    </>
  )
}

/** The two operands of a calculation; one of two dates may be today. */
function FieldsOfTwo({
  calculation,
  names,
  canEdit,
  onChange,
}: FieldsProps<Extract<Calculation, { readonly first: unknown }>>) {
  const { t } = useTranslation('rules')
  return (
    <>
      {(['first', 'second'] as const).map((side) => {
        const label = t(`calculation.of.${calculation.kind}.${side}`)
        return (
          <fieldset key={side} className={classes.condition} aria-label={label}>
            <span className={classes.side}>{label}</span>
            {(calculation.kind === 'days' || calculation.kind === 'age') && (
              <Select
                className={classes.source ?? ''}
                aria-label={t('conditions.source', { label })}
                data={[
                  { value: 'field', label: t('operands.field') },
                  { value: 'today', label: t('operands.today') },
                ]}
                value={calculation[side] === 'today' ? 'today' : 'field'}
                allowDeselect={false}
                disabled={!canEdit}
                onChange={(next) => onChange({ ...calculation, [side]: next === 'today' ? 'today' : '' })}
              />
            )}
            {calculation[side] !== 'today' && (
              <NamePicker
                label={label}
                names={names}
                value={calculation[side]}
                disabled={!canEdit}
                onChange={(next) => onChange({ ...calculation, [side]: next })}
              />
            )}
          </fieldset>
        )
      })}
    </>
  )
}
