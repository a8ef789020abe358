import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { isError } from '#core/form/engine/issue.ts'
import { DICTIONARIES, samplePath } from '#tests/core/exchange/samples.ts'
import { farAnswers, fillRightly, give, wrongAnswers } from '#tests/core/form/answers.ts'
import { compiledVisit, opened } from '#tests/core/form/filling.ts'

/** Every form of the samples' dictionaries can be filled so that nothing is said of it, and what is wrong is said. */

function pagesOf(file: string) {
  const read = readRedcapDictionary(readFileSync(samplePath('redcap', file), 'utf8'))
  if (!read.ok) throw new Error(file)
  return compiledVisit(read.definition.pages)
}

describe('dictionaries of the samples', () => {
  it.each(DICTIONARIES)(
    '%s: every form is filled with right values, and nothing is said of any',
    { timeout: 60_000 },
    (file) => {
      for (const [code, page] of pagesOf(file)) {
        const form = opened(page)
        const stuck = fillRightly(form)
        const said = form.validate().filter(({ issues }) => issues.some(isError))
        expect({ code, stuck, said, missing: form.completeness().missingRequired, faults: form.faults() }).toEqual({
          code,
          stuck: [],
          said: [],
          missing: [],
          faults: [],
        })
      }
    },
  )

  it.each(DICTIONARIES)(
    '%s: each wrong value is named for what it is, and an empty form for what it lacks',
    { timeout: 60_000 },
    (file) => {
      for (const [code, page] of pagesOf(file)) {
        const empty = opened(page)
        const lacks = empty
          .validate()
          .flatMap(({ key, issues }) => (issues.some((issue) => issue.code === 'required') ? [key] : []))
        expect(lacks).toEqual(
          page.page.fields.flatMap(({ code }) =>
            empty.getCell(code)?.required === true && empty.getCell(code)?.value === null ? [code] : [],
          ),
        )

        const form = opened(page)
        fillRightly(form)
        for (const cell of form.cells()) {
          if (!cell.visible || cell.readOnly) continue
          const right = cell.value
          for (const { answer, code: said } of wrongAnswers(cell.field)) {
            give(form, cell.key, answer)
            expect(
              form.getCell(cell.key)?.issues.map((issue) => issue.code),
              `${code} ${cell.key} ${JSON.stringify(answer)}`,
            ).toContain(said)
          }
          for (const check of cell.field.checks) {
            const spoke = farAnswers(cell.field).some((answer) => {
              give(form, cell.key, answer)
              return form.getCell(cell.key)?.issues.some((issue) => issue.code === 'check' && issue.id === check.id)
            })
            expect(spoke, `${code} ${cell.key} ${check.when}`).toBe(true)
          }
          form.setValue(cell.key, right)
        }
      }
    },
  )
})
