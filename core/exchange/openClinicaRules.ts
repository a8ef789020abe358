import type { DefinitionError } from './definition.ts'
import { readXml } from './xml/read.ts'

/** Rules of OpenClinica. They are no definition: they name items of one that is not in the file. */

const LIMITS = { length: 20_000_000, depth: 50, elements: 200_000, attributes: 100 }

/** What the file is, with the number of its rules; or why it is not even that. */
export function openClinicaRules(text: string): DefinitionError {
  let rules = 0
  const read = readXml(text, LIMITS, ({ name }) => {
    if (name === 'RuleDef') rules += 1
    return 'skip'
  })
  return read.ok ? { kind: 'openclinica-rules', rules } : read.error
}
