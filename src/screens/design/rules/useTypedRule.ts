import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import { columnAt } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import { circleClosedBy } from '#core/design/rules/ruleCircle.ts'
import type { RuleKey, RuleLine } from '#core/design/rules/ruleList.ts'
import { addCheck, ruleAt, setRule } from '#core/design/rules/ruleList.ts'

import { labelIn } from '../columns.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { NEVER } from './conditionKinds.ts'

/**
 * From the last key until the rule becomes part of the design, in milliseconds. The design is then searched for
 * circles, which is too slow for every key.
 */
const TAKE_AFTER = 300

/**
 * The last typed text that is not in the design yet: the timer that puts it there, and a function that does so at once.
 */
interface Pending {
  readonly timer: ReturnType<typeof setTimeout>
  readonly now: () => void
}

/** The text of a rule while it is typed, and how it gets into the design. */
export interface TypedRule {
  readonly text: string
  /** The circle that the text would close, as codes; such a text is not taken. Null where it closes none. */
  readonly circle: readonly string[] | null
  readonly write: (text: string) => void
  /** Puts the last typed text into the design at once. */
  readonly settle: () => void
  /** Discards the last typed text. */
  readonly forget: () => void
}

/** Puts a rule into the design a short time after the last key, when its box is left, and when the rule is left. */
export function useTypedRule(editor: DesignEditor, address: RuleKey, line: RuleLine | null): TypedRule {
  const { t } = useTranslation('rules')
  const [typed, setTyped] = useState<string | null>(null)
  const [circle, setCircle] = useState<readonly string[] | null>(null)
  const take = (next: string) => {
    const closed = circleClosedBy(editor.view().design, address, next)
    setCircle(closed)
    if (closed !== null) return
    const edit = editTo(
      editor.view().design,
      address,
      next,
      t('make.message', { field: nameOf(editor.view().design, address) }),
    )
    if (edit !== null) editor.edit(edit)
    setTyped(null)
  }
  const pending = useRef<Pending | null>(null)
  const settle = () => {
    if (pending.current === null) return
    clearTimeout(pending.current.timer)
    pending.current.now()
    pending.current = null
  }
  const write = (next: string) => {
    setTyped(next)
    setCircle(null)
    if (pending.current !== null) clearTimeout(pending.current.timer)
    const now = () => {
      pending.current = null
      take(next)
    }
    pending.current = { timer: setTimeout(now, TAKE_AFTER), now }
  }
  const forget = () => {
    if (pending.current !== null) clearTimeout(pending.current.timer)
    pending.current = null
    setTyped(null)
  }
  // The last text also goes into the design when the rule is left.
  useEffect(() => () => settleAt(pending), [])
  return { text: typed ?? line?.source ?? '', circle, write, settle, forget }
}

/**
 * The edit for a text of a rule. A check comes into the design with its first text; a check that was emptied never
 * fails.
 */
function editTo(design: Design, address: RuleKey, text: string, message: string): DesignEdit | null {
  if (address.kind !== 'check' || address.checkId === null) return setRule(design, address, text)
  if (ruleAt(design, address) !== null) return setRule(design, address, text.trim() === '' ? NEVER : text)
  return text.trim() === ''
    ? null
    : addCheck(design, address, { id: address.checkId, when: text, severity: 'error', message: { zh: message } })
}

function nameOf({ pages }: Design, { pageId, table, prop }: RuleKey): string {
  const form = pages.get(pageId)?.form ?? null
  const column = form === null ? null : columnAt(form, table, prop)
  return column === null ? prop : labelIn(column, 'zh') || prop
}

function settleAt(pending: React.RefObject<Pending | null>): void {
  if (pending.current === null) return
  clearTimeout(pending.current.timer)
  pending.current.now()
}
