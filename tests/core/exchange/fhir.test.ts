import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readJson } from '#core/exchange/json/json.ts'

import { HAS_SAMPLES, sampleExpressions, samplePath } from './samples.ts'

/** FHIR is no format that is read: a resource is told for what it is, with every rule in it. */

describe('a FHIR resource', () => {
  it('is refused by name, with its FHIRPath rules', () => {
    const text = JSON.stringify({
      resourceType: 'Questionnaire',
      item: [
        {
          linkId: '1',
          extension: [{ url: 'x', valueExpression: { language: 'text/fhirpath', expression: '%a + %b' } }],
        },
      ],
    })
    expect(readJson(text)).toEqual({
      ok: false,
      error: { kind: 'fhir', resourceType: 'Questionnaire', expressions: ['%a + %b'] },
    })
  })

  const expressions = sampleExpressions('fhir-').map(({ file, source }): [string, string] => [file, source])

  it('the samples have six such rules beside our one', () => {
    expect(expressions).toHaveLength(HAS_SAMPLES ? 7 : 1)
  })

  it.each(expressions)('%s: %s is told of', (file, expression) => {
    const result = readJson(readFileSync(samplePath(file), 'utf8'))
    expect(!result.ok && result.error.kind === 'fhir' ? result.error.expressions : []).toContain(expression)
  })
})
