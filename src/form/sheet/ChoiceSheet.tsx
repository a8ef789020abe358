import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { isList } from '#core/form/definition/value.ts'

import classes from '../form.module.css'
import { useFormEnvironment } from '../formContext.ts'
import { toggleChoice } from '../formEvents.ts'
import { choiceLabel, followedLabel } from '../words.ts'
import { initialsOf } from './initials.ts'
import type { SheetBodyProps } from './MissingSheet.tsx'
import { SheetSearch } from './SheetSearch.tsx'
import { noteChoice, recentChoices } from './recentChoices.ts'

/**
 * A long list of choices, with a search over labels, their pinyin initials, and codes. What is chosen and what was
 * chosen lately comes first. Enter takes the first match.
 */
export function ChoiceSheet({ cell, change, onClose }: SheetBodyProps) {
  const { t, state, language } = useFormEnvironment()
  const [search, setSearch] = useState('')
  const { field, value, choices } = cell
  const several = field.type === 'checkbox' || field.multiple
  const chosen = new Set(isList(value) ? value : value === null ? [] : [value])
  const wanted = search.trim().toLowerCase()
  // The order of the moment it was opened: nothing moves under the finger.
  const [first] = useState(() => [...chosen].map(String).concat(recentChoices(field)))
  const lines = useMemo(() => {
    const rank = (value: string) => (first.includes(value) ? first.indexOf(value) : first.length)
    return choices
      .map((choice) => {
        const label = choiceLabel(field, choice.value, t)
        return { choice, label, texts: [label.toLowerCase(), initialsOf(label)] }
      })
      .toSorted((one, other) => rank(one.choice.value) - rank(other.choice.value))
  }, [choices, field, first, t])
  const shown = lines.filter(
    ({ choice, texts }) => texts.some((text) => text.includes(wanted)) || choice.value.toLowerCase() === wanted,
  )
  const pick = (picked: string) => {
    const order = choices.map((choice) => choice.value)
    // A suggestion is taken as its text.
    const text = field.type === 'autocomplete' ? choiceLabel(field, picked, t) : picked
    const next = several ? toggleChoice(order, value, picked) : chosen.has(text) ? null : text
    change((state) => state.setValue(cell.key, next))
    noteChoice(field, picked)
    if (!several) onClose()
  }
  return (
    <>
      <SheetSearch
        placeholder={t('searchHint')}
        onSearch={setSearch}
        onTakeBest={() => {
          const [best] = shown
          if (wanted !== '' && best !== undefined) pick(best.choice.value)
        }}
      />
      <div className={classes.options} role={several ? 'group' : 'radiogroup'} aria-label={t('choose')}>
        {shown.map(({ choice, label }) => (
          <button
            key={choice.value}
            type="button"
            className={classes.choice}
            role={several ? 'checkbox' : 'radio'}
            aria-checked={chosen.has(choice.value)}
            disabled={choice.disabled && !chosen.has(choice.value)}
            onClick={() => pick(choice.value)}
          >
            {label}
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
