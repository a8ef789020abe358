// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import type { Field } from '#core/form/definition/page.ts'
import { holdsData, isCollected } from '#core/form/definition/page.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { FilePort } from '#src/form/filePort.ts'
import { DICTIONARIES, samplePath } from '#tests/core/exchange/samples.ts'
import { compiledVisit, opened } from '#tests/core/form/filling.ts'

import { show, standInForBrowser } from './screen.tsx'

/** The dictionaries of real studies: whatever they ask can be answered. */

beforeAll(standInForBrowser)
afterEach(cleanup)

const CONTROL = 'input, input[type=file], textarea, [role="radio"], [role="checkbox"], [data-action="choose"]'
/** A page on which nobody takes a file. */
const NO_FILES: FilePort = {
  take: () => Promise.resolve({ ok: false, error: { code: 'offline' } }),
  standings: () => Promise.resolve(new Map()),
  watch: () => () => undefined,
  thumb: () => Promise.resolve(null),
  address: () => '/',
  onEdit: () => undefined,
}

/** Fields of a page that a person should be able to answer, but has no control for. */
function withoutControl(container: HTMLElement, state: FormState): readonly string[] {
  const asked = (field: Field) => isCollected(field) && state.getCell(field.code)?.readOnly === false
  return state.compiled.page.fields
    .filter(
      (field) => asked(field) && container.querySelector(`[data-row="${field.code}"]`)?.querySelector(CONTROL) === null,
    )
    .map(({ code }) => code)
}

describe('dictionaries', () => {
  it.each(DICTIONARIES)(
    '%s: every field that is asked has a control, and nothing is left out',
    { timeout: 60_000 },
    async (file) => {
      const read = readRedcapDictionary(readFileSync(samplePath('redcap', file), 'utf8'))
      if (!read.ok) throw new Error(file)
      for (const page of compiledVisit(read.definition.pages).values()) {
        const state = opened(page)
        const { fields } = state.compiled.page
        expect(
          fields
            .filter((field) => holdsData(field) && !isCollected(field) && field.calculate === null)
            .map(({ type }) => type),
        ).toEqual([])
        const { container } = show(state, { files: NO_FILES })
        await waitFor(() => expect(container.querySelectorAll('[data-row]').length).toBe(fields.length), {
          timeout: 20_000,
        })
        // The part that draws files comes a moment later.
        await waitFor(() => expect(withoutControl(container, state)).toEqual([]))
        cleanup()
      }
    },
  )
})
