import { Checkbox, NumberInput, Select, TextInput, Textarea } from '@mantine/core'
import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { FunctionComponent } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#src/screens/design/design.module.css'

/** Boxes for properties. */

/**
 * A box that draws again only when it shows something else, because one key changes one of the two dozen boxes beside a
 * field. A change goes to the newest `onChange`.
 */
function steady<Value, Props extends object>(
  Box: FunctionComponent<Props & Changes<Value>>,
): FunctionComponent<Props & Changes<Value>> {
  const Drawn = memo(Box, sameProps)
  return function Steady(props: Props & Changes<Value>) {
    const latest = useRef(props.onChange)
    useLayoutEffect(() => {
      latest.current = props.onChange
    })
    const onChange = useCallback((value: Value) => latest.current(value), [])
    return <Drawn {...props} onChange={onChange} />
  }
}

interface Changes<Value> {
  readonly onChange: (value: Value) => void
}

/** New lists with the same content count as the same. */
function sameProps<Props extends object>(a: Readonly<Props>, b: Readonly<Props>): boolean {
  const [before, after] = [Object.entries(a) as [string, unknown][], new Map(Object.entries(b) as [string, unknown][])]
  return (
    before.length === after.size &&
    before.every(
      ([name, value]) =>
        value === after.get(name) ||
        (Array.isArray(value) && JSON.stringify(value) === JSON.stringify(after.get(name))),
    )
  )
}

interface TextPropertyProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: string
  readonly max?: number
  readonly long?: boolean
  /** Whether it is the first box of its kind, which Enter on the page leads to. */
  readonly first?: boolean
}

export const TextProperty = steady(function TextProperty({
  label,
  value,
  onChange,
  hint,
  max = 2000,
  long = false,
  first = false,
}: TextPropertyProps) {
  const common = {
    label,
    value,
    maxLength: max,
    ...(hint === undefined ? {} : { description: hint }),
    ...(first ? { 'data-first-property': true } : {}),
  }
  return long ? (
    <Textarea
      {...common}
      rows={1}
      classNames={{ input: classes.growing ?? '' }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <TextInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />
  )
})

/** The typed text, or null where it is blank: a blank English name is no name. */
export function orNone(typed: string): string | null {
  return typed.trim() === '' ? null : typed
}

/** A required text: while the box is empty, the old text stays, and comes back when the box is left. */
export function FilledProperty({
  label,
  value,
  onChange,
  max = 200,
  first = false,
}: Omit<TextPropertyProps, 'long' | 'hint'>) {
  const { t } = useTranslation('design')
  const [typed, setTyped] = useState<string | null>(null)
  const isBlank = typed !== null && typed.trim() === ''
  return (
    <TextInput
      label={label}
      value={typed ?? value}
      maxLength={max}
      error={isBlank ? t('filled') : undefined}
      {...(first ? { 'data-first-property': true } : {})}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyped(next)
        if (next.trim() !== '') onChange(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** A code: it is checked at every key, and taken when it is valid. */
export function CodeProperty({
  value,
  taken,
  onChange,
}: {
  readonly value: string
  readonly taken: ReadonlySet<string>
  readonly onChange: (code: string) => void
}) {
  const { t } = useTranslation('design')
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  const wrong = shown === value ? null : codeProblem(shown, taken)
  return (
    <TextInput
      label={t('props.code')}
      description={t('props.codeHint')}
      value={shown}
      maxLength={100}
      error={
        wrong === null ? undefined : wrong === 'taken' ? t('codeWrong.taken', { code: shown }) : t(`codeWrong.${wrong}`)
      }
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== null && wrong === null && typed !== value) onChange(typed)
        setTyped(null)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(null)
      }}
    />
  )
}

/** Why a text is no valid code (specification §5: alphanumeric, 1 to 20); null where it is valid. */
export function codeProblem(code: string, taken: ReadonlySet<string>): 'empty' | 'letters' | 'taken' | null {
  if (code === '') return 'empty'
  if (!/^[A-Za-z][A-Za-z0-9]{0,19}$/.test(code)) return 'letters'
  return taken.has(code) ? 'taken' : null
}

export const NumberProperty = steady(function NumberProperty({
  label,
  value,
  onChange,
  min,
  max,
  hint,
}: {
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: number | undefined) => void
  readonly min?: number
  readonly max?: number
  readonly hint?: string
}) {
  return (
    <NumberInput
      label={label}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      {...(hint === undefined ? {} : { description: hint })}
    />
  )
})

export const FlagProperty = steady(function FlagProperty({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: boolean
  readonly onChange: (value: boolean) => void
}) {
  return <Checkbox label={label} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
})

interface ChoicePropertyProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}

export function ChoiceProperty<Value extends string>({ label, value, options, onChange }: ChoicePropertyProps<Value>) {
  const choose = (next: string | null) => {
    const chosen = options.find((option) => option.value === next)
    if (chosen !== undefined) onChange(chosen.value)
  }
  return <ChoiceBox label={label} value={value} options={options} onChange={choose} />
}

const ChoiceBox = steady(function ChoiceBox({
  label,
  value,
  options,
  onChange,
}: Omit<ChoicePropertyProps<string>, 'onChange'> & Changes<string | null>) {
  return (
    <Select
      label={label}
      value={value}
      data={[...options]}
      allowDeselect={false}
      searchable={options.length > 8}
      onChange={onChange}
    />
  )
})
