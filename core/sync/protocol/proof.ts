import { canonicalJson } from '#core/json.ts'
import type { Operation } from './operation.ts'

/** The text over which the proof is made: the whole operation without the proof, as canonical JSON. */
export function provenText(op: Omit<Operation, 'proof'> & { readonly proof?: string }): string {
  const { proof: _proof, ...rest } = op
  return canonicalJson(rest)
}

/**
 * The text to which an idempotency key is bound, besides its author. A key that comes again with the same text is the
 * same operation; with any other text it is refused. The text is the same whether the call came alone or in a push.
 */
export function payloadText(
  op: Pick<Operation, 'call' | 'projectId' | 'crfVersionId' | 'pass' | 'entityId' | 'body'>,
): string {
  const { call, projectId, crfVersionId, pass: entryPass, entityId, body } = op
  return canonicalJson({ call, projectId, crfVersionId, pass: entryPass, entityId, body })
}
