import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isList } from '#core/form/definition/value.ts'

import classes from '../form.module.css'
import { useFormEnvironment } from '../formContext.ts'
import { isComposing, toggleChoice } from '../formEvents.ts'
import { choiceLabel, followedLabel } from '../words.ts'
import type { SheetBodyProps } from './MissingSheet.tsx'

/** A long list of choices with a search over labels and codes. Enter takes the first match. */
export function ChoiceSheet({ cell, change, onClose }: SheetBodyProps) {
  const { t, state, language } = useFormEnvironment()
  const [search, setSearch] = useState('')
  const { field, value, choices } = cell
  const several = field.type === 'checkbox' || field.multiple
  const chosen = new Set(isList(value) ? value : value === null ? [] : [value])
  const wanted = search.trim().toLowerCase()
  const shown = choices.filter(
    (choice) =>
      choiceLabel(field, choice.value, t).toLowerCase().includes(wanted) || choice.value.toLowerCase() === wanted,
  )
  const pick = (picked: string) => {
    const order = choices.map((choice) => choice.value)
    // A suggestion is taken as its text.
    const text = field.type === 'autocomplete' ? choiceLabel(field, picked, t) : picked
    const next = several ? toggleChoice(order, value, picked) : chosen.has(text) ? null : text
    change((state) => state.setValue(cell.key, next))
    if (!several) onClose()
  }
  return (
    <>
      <TextInput
        aria-label={t('search')}
        placeholder={t('search')}
        size="md"
        autoComplete="off"
        data-autofocus
        // A half-typed word starts no search: the list would be empty while an input method composes.
        onChange={(event) => !isComposing(event.nativeEvent) && setSearch(event.currentTarget.value)}
        onCompositionEnd={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          // Without this, the key that closes the sheet would open it again: the focus is back on the field before the
          // key takes effect.
          event.preventDefault()
          const [first] = shown
          if (wanted !== '' && first !== undefined) pick(first.value)
        }}
      />
      <div className={classes.options} role={several ? 'group' : 'radiogroup'} aria-label={t('choose')}>
        {shown.map((choice) => (
          <button
            key={choice.value}
            type="button"
            className={classes.choice}
            role={several ? 'checkbox' : 'radio'}
            aria-checked={chosen.has(choice.value)}
            disabled={choice.disabled && !chosen.has(choice.value)}
            onClick={() => pick(choice.value)}
          >
            {choiceLabel(field, choice.value, t)}
          </button>
        ))}
        {shown.length === 0 && (
          <p className={classes.hint}>
            {choices.length === 0 && field.chain !== null
              ? t('chooseFirst', { label: followedLabel(state, cell, language) })
              : t('noMatch')}
          </p>
        )}
      </div>
      {several && (
        <Button fullWidth size="md" mt="sm" onClick={onClose}>
          {t('save')}
        </Button>
      )}
    </>
  )
}
