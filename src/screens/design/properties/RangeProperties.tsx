import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { DesignColumn } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import type { Bounds, ReferenceRange } from '#core/form/definition/column.ts'
import { isRecord } from '#core/form/definition/option.ts'
import { extensionOf } from '#src/screens/design/columns.ts'
import classes from '#src/screens/design/design.module.css'

import { NumberProperty, TextProperty } from './inputs.tsx'

interface RangePropertiesProps {
  readonly column: DesignColumn
  /** How limits are written: as numbers, or as ISO text. */
  readonly kind: 'number' | 'text'
  readonly extend: (patch: Patch) => void
}

/** The plausible range and the reference range of a value. The limits proper stand above them. */
export function RangeProperties({ column, kind, extend }: RangePropertiesProps) {
  const { t } = useTranslation('design')
  const own = extensionOf(column)
  const plausible: Bounds = isRecord(own.plausible) ? own.plausible : {}
  const references: readonly ReferenceRange[] = Array.isArray(own.reference) ? own.reference : []
  const setReference = (at: number, range: ReferenceRange) =>
    extend({ reference: references.map((one, index) => (index === at ? range : one)) })
  return (
    <>
      <BoundBox
        kind={kind}
        label={t('props.plausibleMin')}
        hint={t('props.plausibleHint')}
        value={plausible.min}
        onChange={(min) => extend({ plausible: readBounds({ ...plausible, min }) })}
      />
      <BoundBox
        kind={kind}
        label={t('props.plausibleMax')}
        value={plausible.max}
        onChange={(max) => extend({ plausible: readBounds({ ...plausible, max }) })}
      />
      {references.map((range, at) => (
        <fieldset key={at} className={classes.check}>
          <legend className={classes.choicesTitle}>{`${t('props.reference')} ${at + 1}`}</legend>
          <TextProperty
            label={t('props.referenceWhen')}
            hint={t('props.referenceWhenHint')}
            value={range.when ?? ''}
            max={2000}
            onChange={(when) =>
              setReference(at, { ...readBounds({ min: range.min, max: range.max }), ...(when === '' ? {} : { when }) })
            }
          />
          <BoundBox
            kind={kind}
            label={t('props.referenceMin')}
            value={range.min}
            onChange={(min) => setReference(at, { ...readBounds({ min, max: range.max }), ...whenOf(range) })}
          />
          <BoundBox
            kind={kind}
            label={t('props.referenceMax')}
            value={range.max}
            onChange={(max) => setReference(at, { ...readBounds({ min: range.min, max }), ...whenOf(range) })}
          />
          <Button
            size="xs"
            h={36}
            variant="subtle"
            color="red.9"
            onClick={() =>
              extend({ reference: references.length === 1 ? undefined : references.filter((_, index) => index !== at) })
            }
          >
            {t('props.removeReference', { no: at + 1 })}
          </Button>
        </fieldset>
      ))}
      <p className={classes.hint}>{t('props.referenceHint')}</p>
      <Button
        size="xs"
        h={36}
        variant="light"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={() => extend({ reference: [...references, {}] })}
      >
        {t('props.addReference')}
      </Button>
    </>
  )
}

interface BoundBoxProps {
  readonly kind: 'number' | 'text'
  readonly label: string
  readonly hint?: string
  readonly value: number | string | undefined
  readonly onChange: (bound: number | string | undefined) => void
}

function BoundBox({ kind, label, hint, value, onChange }: BoundBoxProps) {
  const common = { label, ...(hint === undefined ? {} : { hint }) }
  if (kind === 'number') return <NumberProperty {...common} value={value} onChange={onChange} />
  return (
    <TextProperty
      {...common}
      value={value === undefined ? '' : String(value)}
      max={30}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  )
}

type Ends = { readonly [End in keyof Bounds]: Bounds[End] | undefined }

/** The ends that are set; nothing where neither is. */
function readBounds({ min, max }: Ends): Bounds | undefined {
  if (min === undefined && max === undefined) return undefined
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}

function whenOf({ when }: ReferenceRange): Pick<ReferenceRange, 'when'> {
  return when === undefined ? {} : { when }
}
