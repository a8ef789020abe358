import type { ApiError } from '#core/api/errors.ts'

/**
 * Whether a question is there already: the answer to an earlier try was lost. The id is of this sitting, and nobody
 * else has it.
 */
export function isTaken({ code, fields }: ApiError): boolean {
  return code === 'invalid' && fields?.some((field) => field.path === 'body.id' && field.code === 'taken') === true
}
