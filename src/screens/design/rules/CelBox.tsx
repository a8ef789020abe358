// Text of several lines with suggestions below it: no native control is both.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Textarea } from '@mantine/core'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Completion, RuleNames, Suggestion } from '#core/rules/complete.ts'
import { complete } from '#core/rules/complete.ts'
import { RULE_FUNCTIONS } from '#core/rules/signatures.ts'

import classes from './rules.module.css'

interface CelBoxProps {
  readonly label: string
  readonly value: string
  readonly names: RuleNames
  readonly error: string | null
  readonly disabled: boolean
  readonly onChange: (text: string) => void
}

interface Open {
  readonly completion: Completion
  readonly at: number
}

/**
 * A rule as text, with what it could go on with below it: arrows choose, Enter or Tab takes, Escape closes, Ctrl+Space
 * opens.
 */
export function CelBox({ label, value, names, error, disabled, onChange }: CelBoxProps) {
  const { t } = useTranslation('rules')
  const listId = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const [open, setOpen] = useState<Open | null>(null)
  // A word that is being composed of keys is not there yet: nothing is suggested for the half of it.
  const composing = useRef(false)
  /** What a suggestion made of the text, and where the cursor goes in it. */
  const taken = useRef<{ readonly text: string; readonly cursor: number } | null>(null)
  const suggest = (text: string, cursor: number) => {
    const completion = composing.current || disabled ? null : complete(text, cursor, names)
    setOpen(completion === null ? null : { completion, at: 0 })
  }
  const take = ({ from, to }: Completion, { text, kind }: Suggestion) => {
    const next = value.slice(0, from) + text + value.slice(to)
    const cursor = from + text.length
    taken.current = { text: next, cursor }
    onChange(next)
    // Where the name goes on, so do the suggestions.
    if (kind !== 'function' && text.endsWith('.')) suggest(next, cursor)
    else setOpen(null)
  }
  // With the text, before the next key: the cursor of whoever types on is not moved. Whatever is drawn: a suggestion
  // may be what stands there already.
  useLayoutEffect(() => {
    const { current: due } = taken
    if (due === null || due.text !== value) return
    taken.current = null
    box.current?.focus()
    box.current?.setSelectionRange(due.cursor, due.cursor)
  })
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      suggest(value, event.currentTarget.selectionStart)
      return
    }
    if (open === null) return
    const { completion, at } = open
    const count = completion.suggestions.length
    const chosen = completion.suggestions[at]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setOpen({ completion, at: (at + (event.key === 'ArrowDown' ? 1 : count - 1)) % count })
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) take(completion, chosen)
    else if (event.key === 'Escape') setOpen(null)
    else return
    event.preventDefault()
  }
  return (
    <div className={classes.cel}>
      <Textarea
        ref={box}
        label={label}
        description={disabled ? undefined : t('expert.hint')}
        value={value}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        autoComplete="off"
        readOnly={disabled}
        error={error}
        classNames={{ input: classes.code ?? '' }}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={open !== null}
        aria-controls={listId}
        aria-activedescendant={open === null ? undefined : `${listId}-${String(open.at)}`}
        onCompositionStart={() => {
          composing.current = true
          setOpen(null)
        }}
        onCompositionEnd={(event) => {
          composing.current = false
          suggest(event.currentTarget.value, event.currentTarget.selectionStart)
        }}
        onChange={(event) => {
          taken.current = null
          onChange(event.currentTarget.value)
          suggest(event.currentTarget.value, event.currentTarget.selectionStart)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(null)}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={t('expert.suggestions')}
        className={classes.suggestions}
        hidden={open === null}
      >
        {open?.completion.suggestions.map((one, index) => (
          // The keyboard chooses in the box itself.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={one.text}
            id={`${listId}-${String(index)}`}
            ref={index === open.at ? scrollTo : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={index === open.at}
            className={classes.suggestion}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(open.completion, one)}
          >
            <code>{one.signature ?? one.text}</code>
            <span>{meaning(one)}</span>
          </div>
        ))}
      </div>
    </div>
  )

  function meaning({ kind, label: called }: Suggestion): string {
    if (kind === 'variable') {
      const known = (['page', 'row', 'visit', 'form', 'visits', 'today', 'now'] as const).find((one) => one === called)
      return known === undefined ? called : t(`variables.${known}`)
    }
    if (kind === 'pick') {
      const known = (['first', 'last', 'prev'] as const).find((one) => one === called)
      return known === undefined ? called : t(`picks.${known}`)
    }
    if (kind !== 'function') return called
    const known = RULE_FUNCTIONS.find(({ name }) => name === called)
    return known === undefined ? called : t(`functions.${known.name}`)
  }
}

function scrollTo(line: HTMLDivElement | null): void {
  line?.scrollIntoView({ block: 'nearest' })
}
