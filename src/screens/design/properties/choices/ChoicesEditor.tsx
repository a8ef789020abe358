import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core'
import { IconArrowUp, IconPlus, IconTablePlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withValue } from '#core/design/formerCodes.ts'
import { insertedAt, movedTo } from '#core/design/lists.ts'
import { partOf } from '#core/form/definition/lists.ts'
import type { Raw } from '#core/form/definition/option.ts'
import classes from '#src/screens/design/design.module.css'

import { PasteChoices } from './PasteChoices.tsx'
import { textOf } from './pastedChoices.ts'

interface ChoicesEditorProps {
  readonly items: readonly unknown[]
  readonly onChange: (items: readonly Raw[]) => void
}

/** The choices of a field, one a line: value, label, English label. Choices below a choice stay as they are. */
export function ChoicesEditor({ items, onChange }: ChoicesEditorProps) {
  const { t } = useTranslation('design')
  const [pasting, setPasting] = useState(false)
  const choices = items.map(partOf)
  const values = choices.map(({ value }) => textOf(value))
  const put = (at: number, next: Raw) => onChange(choices.map((choice, index) => (index === at ? next : choice)))
  const add = () => {
    const highest = Math.max(0, ...values.map(Number).filter(Number.isFinite))
    onChange(
      insertedAt(choices, choices.length, [
        { label: t('choice', { no: choices.length + 1 }), value: String(highest + 1) },
      ]),
    )
  }
  return (
    <fieldset className={classes.choices}>
      <legend className={classes.choicesTitle}>{t('props.choices')}</legend>
      <Stack gap={6}>
        {choices.map((choice, at) => (
          // While its value is being typed, a choice has no key but its place.
          // oxlint-disable-next-line react/no-array-index-key
          <ChoiceLine
            key={at}
            no={at + 1}
            choice={choice}
            isTaken={(value) => values.some((one, index) => index !== at && one === value)}
            onChange={(next) => put(at, next)}
            onUp={() => onChange(movedTo(choices, at, at - 1))}
            onRemove={() => onChange(choices.filter((_, index) => index !== at))}
          />
        ))}
        {new Set(values).size < values.length && <p className={classes.wrong}>{t('props.choicesSame')}</p>}
        <Group gap={6}>
          <Button
            size="xs"
            className={classes.act}
            variant="light"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={add}
          >
            {t('props.addChoice')}
          </Button>
          <Button
            size="xs"
            className={classes.act}
            variant="subtle"
            leftSection={<IconTablePlus size={16} aria-hidden="true" />}
            onClick={() => setPasting(true)}
          >
            {t('props.pasteChoices')}
          </Button>
        </Group>
      </Stack>
      {pasting && <PasteChoices choices={choices} onChange={onChange} onClose={() => setPasting(false)} />}
    </fieldset>
  )
}

interface ChoiceLineProps {
  readonly no: number
  readonly choice: Raw
  /** Whether another choice has the value. */
  readonly isTaken: (value: string) => boolean
  readonly onChange: (choice: Raw) => void
  readonly onUp: () => void
  readonly onRemove: () => void
}

/** One choice: its value and labels, and the buttons that move it up or remove it. */
function ChoiceLine({ no, choice, isTaken, onChange, onUp, onRemove }: ChoiceLineProps) {
  const { t } = useTranslation('design')
  const set = (patch: Raw) =>
    onChange(Object.fromEntries(Object.entries({ ...choice, ...patch }).filter(([, value]) => value !== undefined)))
  return (
    <div className={classes.choice}>
      <ChoiceValue
        label={`${t('props.choiceValue')} ${no}`}
        value={textOf(choice['value'])}
        isTaken={isTaken}
        onChange={(value) => onChange(withValue(choice, textOf(choice['value']), value))}
      />
      <TextInput
        aria-label={`${t('props.choiceLabel')} ${no}`}
        value={textOf(choice['label'])}
        maxLength={500}
        onChange={(event) => set({ label: event.currentTarget.value })}
      />
      <TextInput
        aria-label={`${t('props.choiceLabelEn')} ${no}`}
        placeholder={t('props.choiceLabelEn')}
        value={textOf(choice['labelEn'])}
        maxLength={500}
        onChange={(event) => set({ labelEn: event.currentTarget.value === '' ? undefined : event.currentTarget.value })}
      />
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          size={32}
          variant="subtle"
          aria-label={t('props.choiceUp', { no })}
          disabled={no === 1}
          onClick={onUp}
        >
          <IconArrowUp size={16} aria-hidden="true" />
        </ActionIcon>
        <ActionIcon
          size={32}
          variant="subtle"
          color="red.9"
          aria-label={t('props.removeChoice', { no })}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden="true" />
        </ActionIcon>
      </Group>
    </div>
  )
}

/**
 * The value of a choice, taken only when the box is left. Stored data refer to a choice by its value, so a half-typed
 * value must never be in use.
 */
function ChoiceValue({
  label,
  value,
  isTaken,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly isTaken: (value: string) => boolean
  readonly onChange: (value: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  return (
    <TextInput
      aria-label={label}
      value={shown}
      maxLength={200}
      error={isTaken(shown)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== null && typed !== value) onChange(typed)
        setTyped(null)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}
