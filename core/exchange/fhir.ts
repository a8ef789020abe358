import type { DefinitionError } from './definition.ts'

/**
 * A resource of HL7 FHIR, which no reader takes: what it is, and the rules in it, so that whoever brings it knows what
 * is not carried over.
 */

/** How deep a resource is looked into. The text was bounded before (boundedJson.ts). */
const MAX_DEPTH = 60

/**
 * What a JSON text is that says it is a FHIR resource, with its FHIRPath expressions word for word; null for one that
 * does not.
 */
export function fhirResource(value: object): Extract<DefinitionError, { kind: 'fhir' }> | null {
  if (!('resourceType' in value) || typeof value.resourceType !== 'string') return null
  return { kind: 'fhir', resourceType: value.resourceType, expressions: [...expressionsIn(value, 0)] }
}

function* expressionsIn(value: unknown, depth: number): Iterable<string> {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  // R4 `Expression`, wherever an extension holds one.
  if ('language' in value && 'expression' in value && typeof value.expression === 'string') yield value.expression
  for (const part of Object.values(value)) yield* expressionsIn(part, depth + 1)
}
