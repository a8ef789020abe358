import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { operation } from '#core/sync/protocol/operation.ts'
import { payloadText, provenText } from '#core/sync/protocol/proof.ts'
import { parseScope, scopeText } from '#core/sync/protocol/scope.ts'

const op = () =>
  operation.parse({
    key: newId(),
    call: 'entry.save',
    author: newId(),
    deviceId: newId(),
    seq: 1,
    projectId: newId(),
    centerId: null,
    crfVersionId: newId(),
    pass: 1,
    entityId: newId(),
    after: [],
    acted: { at: '2026-11-02T01:02:03.004Z', offsetMinutes: 480, driftMs: null },
    appVersion: '1.0.0',
    protocol: 1,
    body: { b: 1, a: [null, '二'] },
    proof: 'A'.repeat(43),
  })

describe('an operation', () => {
  it('is proven over everything but its proof, whatever the order of its keys', () => {
    const one = op()
    const { proof: _proof, ...rest } = one
    const turned = Object.fromEntries(Object.entries(rest).toReversed()) as typeof rest
    expect(provenText(turned)).toBe(provenText(one))
    expect(provenText({ ...one, seq: 2 })).not.toBe(provenText(one))
    expect(provenText({ ...one, proof: 'B'.repeat(43) })).toBe(provenText(one))
  })

  it('is bound by its key to what it does, not to how it travelled', () => {
    const one = op()
    expect(payloadText({ ...one, seq: 9, after: [newId()] } as typeof one)).toBe(payloadText(one))
    expect(payloadText({ ...one, body: { b: 2, a: [null, '二'] } })).not.toBe(payloadText(one))
    expect(payloadText({ ...one, projectId: newId() })).not.toBe(payloadText(one))
  })
})

describe('a scope', () => {
  it('reads back from its text, and from nothing else', () => {
    const [projectId, centerId] = [newId(), newId()]
    for (const scope of [
      { kind: 'project' as const, projectId },
      { kind: 'center' as const, projectId, centerId, pass: 2 as const },
    ]) {
      expect(parseScope(scopeText(scope))).toEqual(scope)
    }
    for (const text of [
      '',
      'x',
      `${projectId}/`,
      `${projectId}/${centerId}`,
      `${projectId}/${centerId}/3`,
      `${projectId}/${centerId}/1/1`,
    ]) {
      expect(parseScope(text)).toBeNull()
    }
  })
})
