import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJson } from '#core/exchange/json/json.ts'

import { HAS_SAMPLES, SAMPLES } from './samples.ts'

/** FHIR is no format that is read: a resource is told for what it is, with every rule in it. */

describe('a FHIR resource', () => {
  it('is refused by name, with its FHIRPath rules', () => {
    const text = JSON.stringify({ resourceType: 'Questionnaire', item: [{ linkId: '1', extension: [{ url: 'x', valueExpression: { language: 'text/fhirpath', expression: '%a + %b' } }] }] })
    expect(readJson(text)).toEqual({ ok: false, error: { kind: 'fhir', resourceType: 'Questionnaire', expressions: ['%a + %b'] } })
  })

  const lines = HAS_SAMPLES ? readFileSync(join(SAMPLES, 'expressions.txt'), 'utf8').split('\n').map((line) => line.split('\t')) : []
  const expressions = lines.flatMap(([, kind = '', , file = '', , json = '']): [string, string][] => (kind.startsWith('fhir-') ? [[file, String(JSON.parse(json))]] : []))

  it.runIf(HAS_SAMPLES)('the samples have six such rules', () => {
    expect(expressions).toHaveLength(6)
  })

  it.each(expressions)('%s: %s is told of', (file, expression) => {
    const result = readJson(readFileSync(join(SAMPLES, file), 'utf8'))
    expect(!result.ok && result.error.kind === 'fhir' ? result.error.expressions : []).toContain(expression)
  })
})
