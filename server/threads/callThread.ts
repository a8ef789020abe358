import { parentPort, workerData } from 'node:worker_threads'
import { fail } from '#core/api/errors.ts'
import type { CallId } from '#core/api/table.ts'
import { callOf } from '#core/api/table.ts'
import { refuseUncleanText } from '#server/http/cleanText.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import { parseInput } from '#server/http/input.ts'
import type { ThreadAnswer, ThreadCall } from '#server/threads/calls.ts'
import { threadHandlers } from '#server/threads/handlers.ts'
import { READY, servicesOf } from '#server/threads/setting.ts'
import type { ThreadSetting } from '#server/threads/setting.ts'

/**
 * A thread that serves calls on definitions and trails, one at a time. The server that started it ends it where a
 * call takes too long.
 */

const services = servicesOf(workerData as ThreadSetting, 2)

async function serve({ id, context }: ThreadCall): Promise<ThreadAnswer> {
  try {
    const handler = threadHandlers[id] as ((context: unknown) => Promise<unknown>) | undefined
    if (handler === undefined) throw fail('not_available')
    const { text, ...given } = context
    const body = text === undefined ? given.body : bodyOf(id, text)
    return { ok: true, answer: await handler({ ...given, body, services }) }
  } catch (error) {
    if (isOurFault(error)) services.log.error({ error, call: id }, 'a call failed in its thread')
    return { ok: false, error: toApiError(error) }
  }
}

/** Parses a large body here, so that nobody waits for it elsewhere. */
function bodyOf(id: CallId, text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw fail('invalid', { fields: [{ path: 'body', code: 'format' }] })
  }
  refuseUncleanText(body)
  return parseInput(callOf(id).body, body)
}

parentPort?.on('message', (call: ThreadCall) => {
  void serve(call).then((answer) => parentPort?.postMessage(answer))
})
// From now on the call itself takes the time.
parentPort?.postMessage(READY)
