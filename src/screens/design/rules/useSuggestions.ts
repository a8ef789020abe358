import { useLayoutEffect, useRef, useState } from 'react'
import type { Completion, RuleNames, Suggestion } from '#core/rules/complete.ts'
import { complete } from '#core/rules/complete.ts'

/** The suggestions that are shown, and which one is chosen. */
export interface OpenSuggestions {
  readonly completion: Completion
  readonly at: number
}

interface SuggestionsProps {
  readonly value: string
  readonly names: RuleNames
  readonly disabled: boolean
  readonly onChange: (text: string) => void
}

/** Offers suggestions beside a text box while it is typed in, and writes the taken one into the text. */
export function useSuggestions({ value, names, disabled, onChange }: SuggestionsProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [open, setOpen] = useState<OpenSuggestions | null>(null)
  // While an input method composes a word, half of the word is no basis for suggestions.
  const composing = useRef(false)
  /** The text after a suggestion was taken, and the place of the cursor in it. */
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
    // Where the name goes on, new suggestions open.
    if (kind !== 'function' && text.endsWith('.')) suggest(next, cursor)
    else setOpen(null)
  }
  // Moves the cursor together with the new text and before the next key, so that it does not jump while the user types
  // on. Runs after every drawing, because a suggestion may equal the text that is there already.
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
  const boxProps = {
    ref: box,
    onCompositionStart: () => {
      composing.current = true
      setOpen(null)
    },
    onCompositionEnd: (event: React.CompositionEvent<HTMLTextAreaElement>) => {
      composing.current = false
      suggest(event.currentTarget.value, event.currentTarget.selectionStart)
    },
    onChange: (event: React.ChangeEvent<HTMLTextAreaElement>) => {
      taken.current = null
      onChange(event.currentTarget.value)
      suggest(event.currentTarget.value, event.currentTarget.selectionStart)
    },
    onKeyDown,
    onBlur: () => setOpen(null),
  }
  return {
    open,
    /** Writes an open suggestion into the text. */
    take: (suggestion: Suggestion) => {
      if (open !== null) take(open.completion, suggestion)
    },
    /** The properties of the text box. */
    boxProps,
  }
}
