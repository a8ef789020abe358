import { describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { openBounce } from '#offline/sync/bounce.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { Network } from '#tests/offline/support/network.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import { change, crcAtTablet, queue, saveOf, syncOf, target, valueOf } from '#tests/offline/support/tablet.ts'

function answered(
  why: 'changed' | 'invalid' | 'conflict' | null,
  error: Readonly<Record<string, string>> = {},
): JsonValue {
  return { submitted: { done: why === null, why }, error, conflicts: why === 'conflict' ? [{ code: 'dbp' }] : [] }
}

/** One page, submitted at a tablet; each submit gets the answer that the test gives it. */
class Submits {
  readonly crc: Crc
  readonly network = new Network()
  readonly page = target(newId())

  constructor(crc: Crc) {
    this.crc = crc
  }

  async submit(result: JsonValue): Promise<void> {
    await queue(this.crc, saveOf(change(this.page, 'sbp', null, 120), 'entry.submit'))
    this.network.result = () => result
    valueOf(await runCycle(syncOf(this.crc, this.network.fetch)))
  }

  async kept() {
    const row = await this.crc.storage.work.bounced.get(entryId(this.page))
    return row === undefined ? null : { why: row.why, ...(await openBounce(this.crc.author.ring, row)) }
  }
}

describe('a submit that did not go through', () => {
  test('is kept with what the server said of each field, sealed', async () => {
    const submits = new Submits(await crcAtTablet())
    await submits.submit(answered('invalid', { sbp: '不能大于 300', dbp: '此项必填' }))
    expect(await submits.kept()).toEqual({
      why: 'invalid',
      messages: { sbp: '不能大于 300', dbp: '此项必填' },
      field: 'sbp',
    })
    const [row] = await submits.crc.storage.work.bounced.toArray()
    expect(new TextDecoder().decode(row?.answer.data)).not.toContain('300')
    expect(row?.answer.level).toBe('sensitive')
  })

  test('is replaced by the answer to the next one, and goes with one that goes through', async () => {
    const submits = new Submits(await crcAtTablet())
    await submits.submit(answered('changed'))
    expect(await submits.kept()).toEqual({ why: 'changed', messages: {}, field: null })
    await submits.submit(answered('conflict'))
    expect(await submits.kept()).toEqual({ why: 'conflict', messages: {}, field: 'dbp' })
    await submits.submit(answered(null))
    expect(await submits.kept()).toBeNull()
  })

  test('whose answer was for somebody else is kept as unknown', async () => {
    const submits = new Submits(await crcAtTablet())
    await submits.submit(null)
    expect(await submits.kept()).toEqual({ why: 'unknown', messages: {}, field: null })
  })

  test('is none while the server holds it for later', async () => {
    const submits = new Submits(await crcAtTablet())
    submits.network.outcome = { outcome: 'held', reason: 'project_stopped' }
    await submits.submit({ submitted: null, error: {}, conflicts: [] })
    expect(await submits.kept()).toBeNull()
  })
})
