import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { Bytes } from '#offline/bytes.ts'
import { send } from '#offline/net/request.ts'
import type { Answer } from '#offline/net/request.ts'
import { PUSH_TIMEOUT_MS } from '#offline/sync/context.ts'
import type { SyncContext } from '#offline/sync/context.ts'

/** Sends one envelope, compressed. */
export function sendPush({ wire }: SyncContext, body: Bytes): Promise<Result<Answer, ApiError>> {
  return send(wire, {
    method: 'POST',
    path: '/edc/sync/push',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', Accept: 'application/x-ndjson' },
    body,
    timeoutMs: PUSH_TIMEOUT_MS,
  })
}
