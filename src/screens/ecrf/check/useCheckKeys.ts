import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { FormState } from '#core/form/engine/engine.ts'
import { isDone } from '#core/review/verification.ts'
import type { ReviewAct } from '#core/review/verification.ts'
import { rowKey } from '#src/form/review/reviewMarks.ts'

import { areaOf, currentStop, goToStop, nextStop, stopBeside } from './checkCursor.ts'
import { placesAt } from './checkPlaces.ts'
import type { Checking } from './useChecking.ts'

interface CheckKeys {
  readonly checking: Checking
  readonly form: FormState
  /** Raises a query on a field or a row, by the key of its mark. */
  readonly onAsk: ((key: string) => void) | null
  /** Shows the pictures of the page beside a field; null where it has none. */
  readonly onSource: ((address: string | null) => void) | null
  readonly onNextPage: () => void
  readonly onHelp: () => void
  /** Says why a key did nothing, or what is to be done next. */
  readonly onSay: (what: 'verify' | 'unverify' | 'exempt' | 'place' | 'allDone') => void
}

/** What a person types into keeps its letters. */
const TYPED_INTO = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true]'

/**
 * The keys of a page that is checked. They belong to the page and to a row that is open over it: nothing happens in
 * another dialog, or where somebody types.
 */
export function useCheckKeys(keys: CheckKeys): void {
  const cursor = useCursor()
  // A key means what is on the screen when it is pressed; other effects of a drawing may come after the next key.
  const latest = useRef(keys)
  useLayoutEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, defaultPrevented, isComposing } = event
      if (defaultPrevented || isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if (target instanceof Element && target.closest(TYPED_INTO) !== null) return
      const area = areaOf(target)
      if (area === null || !actOnKey(event, area, latest.current, cursor.current)) return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [cursor])
}

/** The field in which the focus was last: keys mean it too while the focus is beside the page. */
function useCursor(): RefObject<string | null> {
  const cursor = useRef<string | null>(null)
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      const line = target instanceof Element ? target.closest<HTMLElement>('[data-line], [data-row]') : null
      if (line !== null) cursor.current = line.dataset['line'] ?? line.dataset['row'] ?? null
    }
    document.addEventListener('focusin', follow)
    return () => document.removeEventListener('focusin', follow)
  }, [])
  return cursor
}

/** Does what a key stands for; false for a key that stands for nothing. */
function actOnKey(event: KeyboardEvent, area: HTMLElement, keys: CheckKeys, before: string | null): boolean {
  const { checking, onAsk, onSource, onNextPage, onHelp, onSay } = keys
  const { track } = checking
  const isPage = area.closest('[role=dialog]') === null
  switch (event.key === '?' ? '?' : event.key.toLowerCase()) {
    case 'arrowdown':
    case 'arrowup': {
      if (event.target instanceof HTMLInputElement) return false
      goToStop(stopBeside(area, track, before, event.key === 'ArrowDown' ? 1 : -1))
      return true
    }
    case 'v':
      if (!event.shiftKey) verifyAndGoOn(area, keys, before)
      else if (isPage) checking.verifyPage()
      else verifyRow(area, keys)
      return true
    case 'u':
      return actAt(area, 'unverify', keys, before)
    case 'x':
      return actAt(area, 'exempt', keys, before)
    case 'q': {
      const key = currentStop(area, track, before)?.dataset['check']
      if (onAsk === null) return false
      if (key === undefined) onSay('place')
      else onAsk(key)
      return true
    }
    case 's':
      if (onSource === null || !isPage) return false
      onSource(currentStop(area, track, before)?.dataset['check'] ?? before)
      return true
    case 'n':
      if (isPage) onNextPage()
      return isPage
    case '?':
      onHelp()
      return true
    default:
      return false
  }
}

function actAt(area: HTMLElement, act: ReviewAct, { checking, onSay }: CheckKeys, before: string | null): boolean {
  const key = currentStop(area, checking.track, before)?.dataset['check']
  if (key === undefined) onSay('place')
  else if (!checking.begin(act, checking.track, key)) onSay(act)
  return true
}

/** Verifies the current field and goes to the next that is due. Without a current field, it only goes to the first. */
function verifyAndGoOn(area: HTMLElement, keys: CheckKeys, before: string | null): void {
  const { checking, onSay } = keys
  const { track } = checking
  const current = currentStop(area, track, before)
  const key = current?.dataset['check'] ?? null
  const isVerified = key !== null && checking.begin('verify', track, key)
  const next = nextStop(area, track, current, (one) => one !== key && isLeft(keys, one))
  if (next !== null) goToStop(next)
  else if (current !== null && (isVerified || !isLeft(keys, key ?? ''))) onSay('allDone')
  if (next !== null && key !== null && !isVerified) onSay('verify')
}

/** All fields of the row that is open. */
function verifyRow(area: HTMLElement, { checking, onSay }: CheckKeys): void {
  const [table = '', rid = ''] = area.querySelector<HTMLElement>('[data-check]')?.dataset['check']?.split('.') ?? []
  if (!checking.begin('verify', checking.track, rowKey(table, rid))) onSay('verify')
}

/** Whether something about a stop is due and not done. */
export function isLeft({ checking, form }: Pick<CheckKeys, 'checking' | 'form'>, key: string): boolean {
  return placesAt(form, key).some((place) => {
    const { due, state } = checking.markAt(checking.track, place)
    return due && !isDone(state)
  })
}
