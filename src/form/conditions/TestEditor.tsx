import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CodeLabel } from '#core/dataset/table.ts'

import { opsFor, reasons } from './testDraft.ts'
import type { TestDraft, Tested } from './testDraft.ts'

interface TestEditorProps {
  readonly draft: TestDraft
  readonly of: Tested
  readonly codes: readonly CodeLabel[]
  readonly onChange: (draft: TestDraft) => void
}

/** What is asked of an answer: how it is compared, and with what. */
export function TestEditor({ draft, of, codes, onChange }: TestEditorProps) {
  const { t } = useTranslation('database')
  return (
    <>
      <Select
        size="md"
        label={t('test.op')}
        allowDeselect={false}
        value={draft.op}
        data={opsFor(of).map((op) => ({ value: op, label: t(`test.${op}`) }))}
        onChange={(value) => {
          const op = opsFor(of).find((one) => one === value)
          if (op !== undefined) onChange({ ...draft, op })
        }}
        comboboxProps={{ withinPortal: false }}
      />
      <Values {...{ draft, of, codes, onChange }} />
    </>
  )
}

function Values({ draft, of, codes, onChange }: TestEditorProps) {
  const { t } = useTranslation('database')
  const isChoice = of.kind === 'choice' && !of.isChange && codes.length > 0
  const chosen = codes.map(({ code, label }) => ({ value: code, label }))
  const hint =
    of.isChange || (of.kind !== 'date' && of.kind !== 'time' && of.kind !== 'datetime')
      ? undefined
      : t(`test.format.${of.kind}`)
  const unit = of.isChange && of.kind !== 'number' ? ` (${t('test.days')})` : ''
  const box = (part: 'first' | 'second', label: string) => (
    <TextInput
      size="md"
      label={`${label}${unit}`}
      placeholder={hint}
      maxLength={200}
      value={draft[part]}
      onChange={(event) => onChange({ ...draft, [part]: event.currentTarget.value })}
      {...(of.kind === 'number' || of.isChange ? { inputMode: 'decimal' as const } : {})}
    />
  )
  switch (draft.op) {
    case 'empty':
    case 'filled':
      return null
    case 'missing':
      return <ReasonChoice {...{ draft, onChange }} />
    case 'between':
      return (
        <>
          {box('first', t('test.from'))}
          {box('second', t('test.to'))}
        </>
      )
    case 'oneOf':
      return isChoice ? (
        <MultiSelect
          size="md"
          searchable
          label={t('test.value')}
          value={[...draft.list]}
          data={chosen}
          onChange={(list) => onChange({ ...draft, list })}
          comboboxProps={{ withinPortal: false }}
        />
      ) : (
        box('first', `${t('test.value')} · ${t('test.list')}`)
      )
    case 'contains':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return box('first', t('test.value'))
    case 'eq':
    case 'ne':
      return isChoice ? (
        <Select
          size="md"
          searchable
          label={t('test.value')}
          value={draft.first === '' ? null : draft.first}
          data={chosen}
          onChange={(value) => onChange({ ...draft, first: value ?? '' })}
          comboboxProps={{ withinPortal: false }}
        />
      ) : (
        box('first', t('test.value'))
      )
  }
}

function ReasonChoice({ draft, onChange }: Pick<TestEditorProps, 'draft' | 'onChange'>) {
  const { t } = useTranslation('database')
  return (
    <Select
      size="md"
      label={t('test.reason')}
      allowDeselect={false}
      value={draft.reason ?? ''}
      data={[
        { value: '', label: t('test.anyReason') },
        ...reasons.map((reason) => ({ value: reason, label: t(`missing.${reason}`) })),
      ]}
      onChange={(value) => onChange({ ...draft, reason: reasons.find((one) => one === value) ?? null })}
      comboboxProps={{ withinPortal: false }}
    />
  )
}
