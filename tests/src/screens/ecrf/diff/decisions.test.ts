import { expect, it } from 'vitest'
import type { GapRow } from '#core/api/calls/review/double.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { choicesOf, newValueForm, problemOf } from '#src/screens/ecrf/diff/decisions.ts'
import type { Decision } from '#src/screens/ecrf/diff/decisions.ts'

/** What a data manager decides where the passes differ. */

const MOMENT = { today: '2026-11-21', now: '2026-11-21 09:00:00' }

function anotherThan(first: ItemContent, masked: boolean): Decision {
  const page = parsePage(
    JSON.stringify({ column: [{ prop: 'contact', label: '联系人', type: 'input', zl: { identifier: true } }] }),
  )
  const field = page.ok ? page.page.byCode.get('contact') : undefined
  if (field === undefined) throw new Error('no field')
  return { choose: 'new', form: newValueForm(field, { first, masked }, MOMENT), code: 'new_source', text: '' }
}

it('another value than one that is masked for who decides begins empty, and is none before something is entered', () => {
  for (const first of [
    { value: MASK, missing: null },
    { value: null, missing: { m: 'UNK', reason: MASK } as const },
  ]) {
    const decision = anotherThan(first, true)
    expect(decision.form?.getCell('contact')).toMatchObject({ value: null, missing: null, readOnly: false })
    expect(problemOf(decision)).toBe('value')
    decision.form?.setText('contact', '王午')
    expect(problemOf(decision)).toBeNull()
    const gap = { id: 'gap' } as GapRow
    expect(choicesOf([gap], new Map([['gap', decision]]))).toMatchObject([
      { id: 'gap', choose: 'new', to: { value: '王午', missing: null } },
    ])
  }
})

it('another value than one that is seen begins with it', () => {
  // Asterisks too, where nothing is masked: somebody typed them.
  for (const value of ['王五', MASK]) {
    const decision = anotherThan({ value, missing: null }, false)
    expect(decision.form?.getCell('contact')).toMatchObject({ value, readOnly: false })
    expect(problemOf(decision)).toBeNull()
  }
})
