// A text of several lines with suggestions below it: no native control has both.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Textarea } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleNames, Suggestion } from '#core/rules/complete.ts'
import { RULE_FUNCTIONS } from '#core/rules/signatures.ts'

import classes from './rules.module.css'
import { useSuggestions } from './useSuggestions.ts'
import type { OpenSuggestions } from './useSuggestions.ts'

interface CelBoxProps {
  readonly label: string
  readonly value: string
  readonly names: RuleNames
  readonly error: string | null
  readonly disabled: boolean
  readonly onChange: (text: string) => void
}

/** A rule as text, with suggestions below it: arrows choose, Enter or Tab takes, Escape closes, Ctrl+Space opens. */
export function CelBox({ label, value, names, error, disabled, onChange }: CelBoxProps) {
  const { t } = useTranslation('rules')
  const listId = useId()
  const { open, take, boxProps } = useSuggestions({ value, names, disabled, onChange })
  return (
    <div className={classes.cel}>
      <Textarea
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
        {...boxProps}
      />
      <SuggestionList id={listId} open={open} onTake={take} />
    </div>
  )
}

interface SuggestionListProps {
  readonly id: string
  readonly open: OpenSuggestions | null
  readonly onTake: (suggestion: Suggestion) => void
}

/** The suggestions for the text, each with its meaning. */
function SuggestionList({ id, open, onTake }: SuggestionListProps) {
  const { t } = useTranslation('rules')
  const meaningOf = useMeanings()
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('expert.suggestions')}
      className={classes.suggestions}
      hidden={open === null}
    >
      {open?.completion.suggestions.map((one, index) => (
        // The keyboard chooses in the text box itself.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={one.text}
          id={`${id}-${String(index)}`}
          ref={index === open.at ? scrollTo : undefined}
          role="option"
          tabIndex={-1}
          aria-selected={index === open.at}
          className={classes.suggestion}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(one)}
        >
          <code>{one.signature ?? one.text}</code>
          <span>{meaningOf(one)}</span>
        </div>
      ))}
    </div>
  )
}

/** The meaning of a suggestion, in the reader's language. */
function useMeanings(): (suggestion: Suggestion) => string {
  const { t } = useTranslation('rules')
  return ({ kind, label: called }) => {
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
