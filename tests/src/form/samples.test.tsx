// @vitest-environment jsdom
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import type { FormState } from '#core/form/engine.ts'
import type { Field } from '#core/form/page.ts'
import { holdsData, isCollected } from '#core/form/page.ts'
import { HAS_SAMPLES, SAMPLES } from '#tests/core/exchange/samples.ts'
import { compiledVisit, opened } from '#tests/core/form/filling.ts'

import { show, standInForBrowser } from './screen.tsx'

/** The dictionaries of real studies: whatever they ask can be answered. */

beforeAll(standInForBrowser)
afterEach(cleanup)

const CONTROL = 'input, textarea, [role="radio"], [role="checkbox"], [data-action="choose"]'
const files = HAS_SAMPLES ? readdirSync(join(SAMPLES, 'redcap')).filter((name) => name.endsWith('.csv') && !name.startsWith('data_')) : []

/** Fields of a page that a person should be able to answer, but has no control for. */
function withoutControl(container: HTMLElement, state: FormState): readonly string[] {
  const asked = (field: Field) => isCollected(field) && state.getCell(field.prop)?.readOnly === false
  return state.compiled.page.fields
    .filter((field) => asked(field) && container.querySelector(`[data-row="${field.prop}"]`)?.querySelector(CONTROL) === null)
    .map(({ prop }) => prop)
}

describe.skipIf(!HAS_SAMPLES)('real dictionaries', () => {
  it.each(files)('%s: every field that is asked has a control, and nothing but files is left out', { timeout: 60_000 }, async (file) => {
    const read = readRedcapDictionary(readFileSync(join(SAMPLES, 'redcap', file), 'utf8'))
    if (!read.ok) throw new Error(file)
    for (const page of compiledVisit(read.definition.pages).values()) {
      const state = opened(page)
      const { fields } = state.compiled.page
      expect(fields.filter((field) => holdsData(field) && !isCollected(field) && field.calculate === null).map(({ type }) => type).filter((type) => type !== 'upload')).toEqual([])
      const { container } = show(state)
      await waitFor(() => expect(container.querySelectorAll('[data-row]').length).toBe(fields.filter(({ type }) => type !== 'upload').length), { timeout: 20_000 })
      expect(withoutControl(container, state)).toEqual([])
      cleanup()
    }
  })
})
