import * as z from 'zod/mini'
import type { ZodMiniType } from 'zod/mini'
import { fail } from '#core/api/errors.ts'
import type { FieldError } from '#core/api/errors.ts'

// The page's CSP forbids code from strings; the server follows the same rule.
z.config({ jitless: true })

/**
 * Checks a part of a request against its schema and returns what the schema makes of it.
 *
 * @throws ApiFailure `invalid` with the wrong fields, never with their content
 */
export function parseInput(schema: ZodMiniType, value: unknown): unknown {
  const result = z.safeParse(schema, value, { reportInput: true })
  if (result.success) return result.data
  throw fail('invalid', { fields: fieldErrors(result.error) })
}

/**
 * The errors that a schema finds in a request, as the contract writes them. The check must have run with
 * `reportInput`.
 *
 * @param root what the paths start with
 */
export function fieldErrors(error: z.core.$ZodError, root: readonly string[] = []): readonly FieldError[] {
  return error.issues.map((issue) => toFieldError(issue, root))
}

function toFieldError(issue: z.core.$ZodIssue, root: readonly string[]): FieldError {
  const path = [...root, ...issue.path.map(String)].join('.')
  switch (issue.code) {
    case 'invalid_type':
      return { path, code: issue.input === undefined ? 'required' : 'type', params: { expected: issue.expected } }
    case 'too_big':
      return { path, code: issue.origin === 'string' ? 'too_long' : 'too_big', params: { max: Number(issue.maximum) } }
    case 'too_small':
      return {
        path,
        code: issue.origin === 'string' ? 'too_short' : 'too_small',
        params: { min: Number(issue.minimum) },
      }
    case 'invalid_format':
      return { path, code: 'format' }
    case 'custom':
      // Our own checks give their code where zod expects a message (`core/wire/shapes.ts`).
      return { path, code: issue.message }
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'invalid_value':
      return { path, code: issue.input === undefined ? 'required' : 'value' }
  }
}
