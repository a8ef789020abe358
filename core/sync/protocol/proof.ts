import { canonicalJson } from '#core/json.ts'
import type { Operation } from './operation.ts'

/** What the proof is made over: the whole operation but the proof itself, as canonical JSON. */
export function provenText(op: Omit<Operation, 'proof'> & { readonly proof?: string }): string {
  const { proof: _proof, ...rest } = op
  return canonicalJson(rest)
}

/**
 * What an idempotency key is bound to besides its author: a key that comes again with the same text is the same
 * operation, with any other it is refused. The same whether the call came alone or in a push.
 */
export function payloadText(
  op: Pick<Operation, 'call' | 'projectId' | 'crfVersionId' | 'pass' | 'entityId' | 'body'>,
): string {
  const { call, projectId, crfVersionId, pass: entryPass, entityId, body } = op
  return canonicalJson({ call, projectId, crfVersionId, pass: entryPass, entityId, body })
}
